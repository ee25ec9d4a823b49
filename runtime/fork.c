#include "runtime/fork.h"
#include "runtime/aio.h"
#include "runtime/container.h"
#include "runtime/file.h"
#include "runtime/foreign_log.h"
#include "runtime/guard.h"
#include "runtime/modules.h"
#include "runtime/pool.h"
#include "runtime/process.h"
#include "runtime/registry.h"
#include "runtime/side_files.h"
#include "runtime/thread_tails.h"
#include "runtime/warning.h"
#include <pthread.h>

static struct guard around;     /* entered before fork() and left after it; under the lock */
static bool guarded;

/*
 * The guard keeps handlers in the child from logging to the parent's tail before fork_child() has
 * run.
 */
static void fork_before(void)
{
	struct guard g;
	bool entered = gl_guard_enter(&g);

	gl_process_lock();
	gl_file_lock();
	around = g;
	guarded = entered;
}

static void fork_after(void)
{
	struct guard g = around;
	bool entered = guarded;

	gl_file_unlock();
	gl_process_unlock();
	if (entered)
		gl_guard_leave(&g);
}

/* Opens nothing before the child logs: most children only call exec. */
static void fork_child(void)
{
	if (gl_process.state == PROCESS_OPEN) {
		gl_registry_forget();
		gl_pool_forget();
		gl_aio_forget();
		gl_container_forget();
		gl_side_files_forget();
		gl_modules_forget();
		gl_foreign_log_forget();
		gl_thread_tails_forget();
		gl_process_forget();
		gl_file_leave();
		gl_warning_reset();
	}
	fork_after();
}

void gl_fork_prepare(void)
{
	static bool done;

	if (!done)
		done = pthread_atfork(fork_before, fork_after, fork_child) == 0;
}
