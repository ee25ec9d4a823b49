#include "runtime/guard.h"
#include <errno.h>
#include <pthread.h>

static __thread bool inside __attribute__((tls_model("initial-exec")));

bool gl_guard_enter(struct guard *g)
{
	sigset_t all;
	int error = errno;

	if (inside)
		return false;
	g->error = error;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancel);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &g->signals);
	inside = true;
	return true;
}

void gl_guard_leave(struct guard *g)
{
	inside = false;
	pthread_sigmask(SIG_SETMASK, &g->signals, NULL);
	pthread_setcancelstate(g->cancel, NULL);
	errno = g->error;
}
