#include "recorder/signals.h"
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static signals_mask mask_set(signals_mask mask)
{
	signals_mask before = 0;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &before, sizeof mask);
	return before;
}

signals_mask signals_block(void)
{
	return mask_set(~(signals_mask)0);
}

void signals_restore(signals_mask mask)
{
	mask_set(mask);
}

int signals_open(void)
{
	sigset_t all;

	memset(&all, 0xff, sizeof all);
	return signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
}

pid_t signals_sender(const struct signalfd_siginfo *s)
{
	return s->ssi_code > 0 ? 0 : (pid_t)s->ssi_pid;
}

void signals_drop(int signal)
{
	struct timespec now = {0};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	while (sigtimedwait(&set, NULL, &now) == signal)
		;
}

void signals_end_by(int signal)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};

	/* the memory that is to be looked at is the program's */
	prctl(PR_SET_DUMPABLE, 0);
	sigaction(signal, &plain, NULL);
	kill(getpid(), signal);
	mask_set(~((signals_mask)1 << (signal - 1)));
}
