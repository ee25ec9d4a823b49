#include "runtime/fork.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/process.h"
#include "runtime/registry.h"
#include "runtime/tail.h"
#include "runtime/thread.h"
#include <pthread.h>
#include <sys/mman.h>

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

/*
 * The tails are the parent's. When a handler forked inside an event, the event goes on in the
 * child, too: memory of the child's own takes the place of the tails that it may be writing to.
 */
static void tail_forget(struct tail *t)
{
	size_t size = gl_tail_span();

	if (gl_thread_owns(t))
		mmap(t, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		     0);
	else
		munmap(t, size);
}

static void parent_forget(void)
{
	for (struct tail *t = gl_process.tails, *next; t; t = next) {
		next = t->next;
		tail_forget(t);
	}
	gl_process.tails = gl_process.free = NULL;
	gl_thread_forked();
	munmap(gl_process.file, sizeof *gl_process.file);
	gl_process.file = NULL;
}

/* Nothing is opened before the child logs: most children only call exec. */
static void fork_child(void)
{
	if (gl_process.state == PROCESS_OPEN) {
		gl_registry_forget();
		parent_forget();
		gl_file_spare_drop();
		gl_fault_forget();
		gl_process.forked = true;
		gl_process.state = PROCESS_NEW;
	}
	fork_after();
}

void gl_fork_prepare(void)
{
	static bool done;

	if (!done)
		done = pthread_atfork(fork_before, fork_after, fork_child) == 0;
}
