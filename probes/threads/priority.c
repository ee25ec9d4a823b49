/*
 * Priorities. A thread logs its own: when it starts, when it changes it, and, where another thread
 * or function may have changed it, before the next wait. It is 100 more than a real-time priority,
 * or the nice value with the other sign, less what the process began with, so that it is 0 in
 * programs without priorities; 0 is logged only after another one.
 */
#include "probes/threads/priority.h"
#include <sys/resource.h>

uint32_t priority_changes;
__thread uint32_t priority_seen __attribute__((tls_model("initial-exec")));
static int priority_first;
static __thread int priority_known __attribute__((tls_model("initial-exec")));

static int priority_now(void)
{
	struct sched_param p;
	int policy = sched_getscheduler(0);

	if ((policy == SCHED_FIFO || policy == SCHED_RR) && !sched_getparam(0, &p))
		return 100 + p.sched_priority;
	return -getpriority(PRIO_PROCESS, 0);
}

void priority_begin(void)
{
	int error = errno;

	priority_first = priority_now();
	errno = error;
}

void priority_catch_up(void)
{
	int error = errno, now;

	if (!glimpse_calls_begin())
		return;
	priority_seen = __atomic_load_n(&priority_changes, __ATOMIC_RELAXED);
	now = priority_now() - priority_first;
	glimpse_calls_end();
	if (now != priority_known)
		Priority_Stamp(now);
	priority_known = now;
	errno = error;
}

static void priority_changed(void)
{
	__atomic_add_fetch(&priority_changes, 1, __ATOMIC_RELAXED);
	priority_catch_up();
}

WRAP_EXPORT int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *p)
{
	bool quiet = QUIET();
	int result = REAL(pthread_setschedparam)(thread, policy, p);

	if (!quiet && !result)
		priority_changed();
	return result;
}

WRAP_EXPORT int pthread_setschedprio(pthread_t thread, int priority)
{
	bool quiet = QUIET();
	int result = REAL(pthread_setschedprio)(thread, priority);

	if (!quiet && !result)
		priority_changed();
	return result;
}

WRAP_EXPORT int sched_setscheduler(pid_t thread, int policy, const struct sched_param *p)
{
	bool quiet = QUIET();
	int result = REAL(sched_setscheduler)(thread, policy, p);

	if (!quiet && result >= 0)
		priority_changed();
	return result;
}

WRAP_EXPORT int sched_setparam(pid_t thread, const struct sched_param *p)
{
	bool quiet = QUIET();
	int result = REAL(sched_setparam)(thread, p);

	if (!quiet && !result)
		priority_changed();
	return result;
}

WRAP_EXPORT int setpriority(priority_which which, id_t who, int priority)
{
	bool quiet = QUIET();
	int result = REAL(setpriority)(which, who, priority);

	if (!quiet && !result)
		priority_changed();
	return result;
}

/* -1 may be the priority; errno says whether it failed. */
WRAP_EXPORT int nice(int more)
{
	bool quiet = QUIET();
	int result = REAL(nice)(more);

	if (!quiet)
		priority_changed();
	return result;
}
