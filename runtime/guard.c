#include "runtime/guard.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static __thread bool inside __attribute__((tls_model("initial-exec")));

/*
 * Blocks every signal, also those of libc itself, which sigprocmask() leaves out. Otherwise an
 * asynchronous cancellation that is pending when the cancel state changes would end the thread
 * with a lock held: glibc 2.36 then checks the cancel type alone, and open() and similar functions
 * set the type for a moment.
 */
static void signals_block(struct guard *g)
{
	unsigned char all[_NSIG / 8];

	memset(all, 0xff, sizeof all);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, all, g->signals, sizeof all);
}

bool gl_guard_enter(struct guard *g)
{
	int error = errno;

	if (inside)
		return false;
	signals_block(g);
	inside = true;
	g->error = error;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancel);
	return true;
}

static void signals_restore(void *guard)
{
	struct guard *g = guard;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, g->signals, NULL, sizeof g->signals);
}

/*
 * The signals come last, since a handler may leave by siglongjmp(). A thread whose cancellation is
 * asynchronous and pending ends as its cancel state is restored; its cleanup handlers run with its
 * own signal mask.
 */
void gl_guard_leave(struct guard *g)
{
	inside = false;
	errno = g->error;
	pthread_cleanup_push(signals_restore, g);
	pthread_setcancelstate(g->cancel, NULL);
	pthread_cleanup_pop(1);
}
