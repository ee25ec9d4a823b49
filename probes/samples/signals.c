/*
 * The functions by which a program uses signals. SIGPROF is ours until the program handles it,
 * blocks it, waits for it or sets its timer; then the timers change to a real-time signal. That one
 * stays unblocked where the program blocks all signals: the thread would not be sampled, and a
 * pending signal would interrupt functions such as sigsuspend().
 */
#include "probes/samples/signals.h"
#include "probes/samples/real.h"
#include "probes/samples/timers.h"
#include "runtime/system.h"
#include <errno.h>

static signal_handler *ours;
static struct sigaction seen; /* what the program has set for our signal: the default action */
static __thread bool hidden __attribute__((tls_model("initial-exec")));

/* ---- choosing ---- */

static bool is_free(int number)
{
	struct sigaction is;

	return REAL(sigaction)(number, NULL, &is) == 0 && !(is.sa_flags & SA_SIGINFO) &&
	       is.sa_handler == SIG_DFL;
}

/* Takes the first signal that is free; 0: none is. */
static int signal_take(void)
{
	struct sigaction action = {.sa_sigaction = ours,
				   .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	sigfillset(&action.sa_mask);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		if (is_free(number) && REAL(sigaction)(number, &action, NULL) == 0)
			return number;
	return 0;
}

static bool profiling_take(void)
{
	struct sigaction action = {.sa_sigaction = ours,
				   .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
	sigset_t blocked;

	sigfillset(&action.sa_mask);
	return REAL(pthread_sigmask)(SIG_BLOCK, NULL, &blocked) == 0 &&
	       !sigismember(&blocked, SIGPROF) && is_free(SIGPROF) &&
	       REAL(sigaction)(SIGPROF, &action, NULL) == 0;
}

int signals_begin(signal_handler *handler)
{
	ours = handler;
	return profiling_take() ? SIGPROF : signal_take();
}

/* The program gets our signal, as it was. */
static void signal_leave(void)
{
	int number = timers_signal(), next = signal_take();

	timers_change(next);
	signals_thread(hidden);
	REAL(sigaction)(number, &seen, NULL);
	seen = (struct sigaction){.sa_handler = SIG_DFL};
}

/* Whether that is our signal, in a process with timers. */
static bool is_ours(int number)
{
	return number > 0 && number == timers_signal() && timers_here();
}

static void use(int number)
{
	if (is_ours(number))
		signal_leave();
}

/*
 * Sets of all signals have every real-time signal, and none would be free: only SIGPROF counts.
 */
static void use_set(const sigset_t *set)
{
	if (set && timers_signal() == SIGPROF && sigismember(set, SIGPROF) == 1)
		use(SIGPROF);
}

void signals_foreign(int number)
{
	int error = errno;

	if (is_ours(number))
		REAL(sigaction)(number, &seen, NULL);
	SYSTEM_CALL(SYS_tgkill, system_getpid(), system_gettid(), number);
	errno = error;
}

/* ---- handlers ---- */

WRAP_EXPORT int sigaction(int number, const struct sigaction *restrict action,
			  struct sigaction *restrict old)
{
	if (is_ours(number)) {
		struct sigaction was = seen;

		if (action && ((action->sa_flags & SA_SIGINFO) || action->sa_handler != SIG_DFL)) {
			signal_leave();
			return REAL(sigaction)(number, action, old);
		}
		if (action)
			seen = *action;
		if (old)
			*old = was;
		return 0;
	}
	return REAL(sigaction)(number, action, old);
}

#define SIGNAL_LIKE(name) \
	plain_handler name(int number, plain_handler handler); \
	WRAP_EXPORT plain_handler name(int number, plain_handler handler) \
	{ \
		if (is_ours(number)) { \
			if (handler == SIG_DFL) \
				return SIG_DFL; \
			signal_leave(); \
		} \
		return REAL(name)(number, handler); \
	}
#define ENTRY(name)
#include "probes/samples/entries.h"
#undef ENTRY

/* ---- masks ---- */

bool signals_hidden(void)
{
	return hidden;
}

void signals_thread(bool seems)
{
	sigset_t set, was;

	hidden = seems;
	if (!timers_signal())
		return;
	sigemptyset(&set);
	sigaddset(&set, timers_signal());
	if (REAL(pthread_sigmask)(SIG_UNBLOCK, &set, &was) == 0 &&
	    sigismember(&was, timers_signal()))
		hidden = true;
}

typedef int mask_changer(int how, const sigset_t *set, sigset_t *old);

static void hidden_change(int how, bool has)
{
	if (how == SIG_SETMASK)
		hidden = has;
	else if (has)
		hidden = how == SIG_BLOCK;
}

static int mask_change(mask_changer *change, int how, const sigset_t *set, sigset_t *old)
{
	bool was = hidden, has;
	sigset_t without;
	int result, number;

	if (!timers_signal() || !timers_here())
		return change(how, set, old);
	if (how != SIG_UNBLOCK)
		use_set(set);
	number = timers_signal();
	has = number && set && sigismember(set, number) == 1;
	if (has) {
		without = *set;
		sigdelset(&without, number);
	}
	result = change(how, has ? &without : set, old);
	if (result == 0 && old && was && number)
		sigaddset(old, number);
	if (result == 0 && set)
		hidden_change(how, has);
	return result;
}

WRAP_EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return mask_change(REAL(pthread_sigmask), how, set, old);
}

WRAP_EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return mask_change(REAL(sigprocmask), how, set, old);
}

/* ---- what else is use ---- */

WRAP_EXPORT int sigwait(const sigset_t *restrict set, int *restrict number)
{
	use_set(set);
	return REAL(sigwait)(set, number);
}

WRAP_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	use_set(set);
	return REAL(sigwaitinfo)(set, info);
}

WRAP_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
			     const struct timespec *restrict time)
{
	use_set(set);
	return REAL(sigtimedwait)(set, info, time);
}

WRAP_EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
	use_set(set);
	return REAL(signalfd)(fd, set, flags);
}

#ifdef __GLIBC__
typedef __itimer_which_t itimer_which;
#else
typedef int itimer_which;
#endif

WRAP_EXPORT int setitimer(itimer_which which, const struct itimerval *restrict value,
			  struct itimerval *restrict old)
{
	if (which == ITIMER_PROF && value)
		use(SIGPROF);
	return REAL(setitimer)(which, value, old);
}
