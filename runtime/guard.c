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

void gl_guard_leave(struct guard *g)
{
	inside = false;
	errno = g->error;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, g->signals, NULL, sizeof g->signals);
	pthread_setcancelstate(g->cancel, NULL);
}
