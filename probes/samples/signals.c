/*
 * The functions by which a program uses signals. SIGPROF is ours until the program handles it,
 * blocks it, waits for it or sets its timer; then the timers change to a real-time signal. That one
 * stays unblocked where the program blocks all signals: the thread would not be sampled, and a
 * pending signal would interrupt functions such as sigsuspend(). A thread to which the program lets
 * it come all the same has its own mask from then on, and no timer.
 */
#include "probes/samples/signals.h"
#include "probes/samples/real.h"
#include "probes/samples/timers.h"
#include "runtime/system.h"
#include <errno.h>

#define PENDING_MOST 8 /* of one number, kept in order: the signal stack may be small */

static signal_handler *ours;
static struct sigaction seen; /* what the program has set for our signal: the default action */
static __thread bool hidden __attribute__((tls_model("initial-exec")));
/* The mask of the thread is the program's, also for our signal. */
static __thread bool given __attribute__((tls_model("initial-exec")));

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

/*
 * A thread that waits for our signal gets it as without us: our handler would interrupt poll() of a
 * signalfd.
 */
static void await_set(const sigset_t *set)
{
	sigset_t one;

	use_set(set);
	if (!set || given || !is_ours(timers_signal()) || sigismember(set, timers_signal()) != 1)
		return;
	sampled_stop(); /* what its timer has sent arrives before this returns */
	given = true;
	if (!hidden)
		return;
	sigemptyset(&one);
	sigaddset(&one, timers_signal());
	REAL(pthread_sigmask)(SIG_BLOCK, &one, NULL);
}

static void send_again(int number, siginfo_t *info)
{
	pid_t self = system_gettid();

	/* only for the caller's own number the kernel leaves the sender as it is */
	if (info->si_code == SI_TKILL)
		SYSTEM_CALL(SYS_rt_tgsigqueueinfo, system_getpid(), self, number, info);
	else
		SYSTEM_CALL(SYS_rt_sigqueueinfo, self, number, info);
}

/*
 * A signal that has come, though the program has blocked it, becomes pending, before those that are
 * pending already. The timer's own does not count.
 */
static void make_pending(int number, const siginfo_t *first, ucontext_t *context)
{
	const struct timespec no_time = {0, 0};
	siginfo_t pending[PENDING_MOST] = {*first};
	unsigned char set[KERNEL_SIGNALS_SIZE] = {0};
	int count = 1;

	set[(number - 1) / 8] = (unsigned char)(1 << (number - 1) % 8);
	sigaddset(&context->uc_sigmask, number);
	while (count < PENDING_MOST && SYSTEM_CALL(SYS_rt_sigtimedwait, set, &pending[count],
						   &no_time, sizeof set) == number)
		count += !timers_sent(&pending[count]);
	for (int i = 0; i < count; i++)
		send_again(number, &pending[i]);
}

void signals_foreign(int number, siginfo_t *info, ucontext_t *context)
{
	int error = errno;

	if (number == timers_signal() && hidden) {
		if (timers_here()) {
			sampled_stop();
			given = true;
		}
		make_pending(number, info, context);
		errno = error;
		return;
	}
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
	if (!timers_signal() || given)
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
	if (has && !given) {
		without = *set;
		sigdelset(&without, number);
	}
	/* a signal that is pending arrives before change() returns */
	if (set)
		hidden_change(how, has);
	result = change(how, has && !given ? &without : set, old);
	if (result == 0 && old && was && number)
		sigaddset(old, number);
	if (result != 0)
		hidden = was;
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
	await_set(set);
	return REAL(sigwait)(set, number);
}

WRAP_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	await_set(set);
	return REAL(sigwaitinfo)(set, info);
}

WRAP_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
			     const struct timespec *restrict time)
{
	await_set(set);
	return REAL(sigtimedwait)(set, info, time);
}

WRAP_EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
	await_set(set);
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
