/* Waiting for signals, and sending them. */
#include "probes/threads/long_wait.h"
#include "probes/threads/threads.h"
#include <signal.h>

void wait_interrupted(uint64_t since, uint64_t now)
{
	Interrupted_StampAt(now, (const void *)pthread_self(), process_id, since);
}

/* signal: the one that came, 0: it is not known, negative: the errno value. */
static void waited(uint64_t since, int signal, const void *site)
{
	uint64_t now = glimpse_now();

	if (!is_long_wait(since, now))
		return;
	SignalBegin_StampAt(since, site);
	wait_stack(since);
	SignalEnd_StampAt(now, (const void *)pthread_self(), process_id, signal, since);
	child_may_wake(since, now, signal == 0 || signal == -EINTR || signal == SIGCHLD);
}

/* Waits: `call` does, and `came` is the signal that came by its result. */
#define WAIT(call, came) \
	(__extension__({ \
		uint64_t since_ = glimpse_now(); \
		int result_ = (call), error_ = errno; \
		waited(since_, came(result_), WRAP_SITE); \
		errno = error_; \
		result_; \
	}))
#define BY_RESULT(result) ((result) < 0 ? -errno : (result))
#define BY_HANDLER(result) ((void)(result), 0)

WRAP_EXPORT int sigwait(const sigset_t *restrict set, int *restrict signal)
{
	if (QUIET())
		return REAL(sigwait)(set, signal);
#define BY_POINTER(result) ((result) ? -(result) : *signal)
	return WAIT(REAL(sigwait)(set, signal), BY_POINTER);
}

WRAP_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	if (QUIET())
		return REAL(sigwaitinfo)(set, info);
	return WAIT(REAL(sigwaitinfo)(set, info), BY_RESULT);
}

WRAP_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
			     const struct timespec *restrict timeout)
{
	if (QUIET())
		return REAL(sigtimedwait)(set, info, timeout);
	return WAIT(REAL(sigtimedwait)(set, info, timeout), BY_RESULT);
}

WRAP_EXPORT int sigsuspend(const sigset_t *set)
{
	if (QUIET())
		return REAL(sigsuspend)(set);
	return WAIT(REAL(sigsuspend)(set), BY_HANDLER);
}

WRAP_EXPORT int pause(void)
{
	if (QUIET())
		return REAL(pause)();
	return WAIT(REAL(pause)(), BY_HANDLER);
}

/* ---- Sending --------------------------------------------------------------------------------- */

/* To a process; one of the program's own threads may run a handler before this. */
#define SEND(call, process, signal) \
	(__extension__({ \
		uint64_t since_ = glimpse_now(); \
		int result_ = (call), error_ = errno; \
		if (!result_ && (process) > 0 && (signal)) \
			SignalSent_StampAt(since_, (uint32_t)(process), signal, WRAP_SITE, \
					   now_after()); \
		errno = error_; \
		result_; \
	}))
#define SEND_TO_THREAD(call, thread, signal) \
	(__extension__({ \
		uint64_t since_ = glimpse_now(); \
		int result_ = (call); \
		if (!result_ && (signal)) \
			ThreadSignalled_StampAt(since_, (const void *)(thread), process_id, \
						signal, WRAP_SITE, now_after()); \
		result_; \
	}))

WRAP_EXPORT int kill(pid_t process, int signal)
{
	if (QUIET())
		return REAL(kill)(process, signal);
	return SEND(REAL(kill)(process, signal), process, signal);
}

WRAP_EXPORT int sigqueue(pid_t process, int signal, const union sigval value)
{
	if (QUIET())
		return REAL(sigqueue)(process, signal, value);
	return SEND(REAL(sigqueue)(process, signal, value), process, signal);
}

WRAP_EXPORT int pthread_kill(pthread_t thread, int signal)
{
	if (QUIET())
		return REAL(pthread_kill)(thread, signal);
	return SEND_TO_THREAD(REAL(pthread_kill)(thread, signal), thread, signal);
}

WRAP_EXPORT int pthread_sigqueue(pthread_t thread, int signal, const union sigval value)
{
	if (QUIET())
		return REAL(pthread_sigqueue)(thread, signal, value);
	return SEND_TO_THREAD(REAL(pthread_sigqueue)(thread, signal, value), thread, signal);
}
