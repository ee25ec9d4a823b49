#include "runtime/fork.h"
#include "runtime/direct.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/pool.h"
#include "runtime/process.h"
#include "runtime/registry.h"
#include "runtime/thread.h"
#include <pthread.h>

static struct guard around;     /* from before fork() to after it; under the lock */
static bool guarded;

/*
 * The guard keeps handlers from logging to the parent's tail in the child, before fork_child()
 * has run.
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

static void parent_forget(void)
{
	gl_pool_forget();
	gl_direct_forget();
	gl_thread_forked();
	gl_process_forget();
}

/* Nothing is opened before the child logs: most children only call exec. */
static void fork_child(void)
{
	if (gl_process.state == PROCESS_OPEN) {
		gl_registry_forget();
		parent_forget();
		gl_file_spare_drop();
		gl_fault_forget();
	}
	fork_after();
}

void gl_fork_prepare(void)
{
	static bool done;

	if (!done)
		done = pthread_atfork(fork_before, fork_after, fork_child) == 0;
}
