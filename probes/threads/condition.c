/*
 * Condition variables. A wait releases the mutex and takes it again before it returns, so it logs
 * both. Each function that glibc has in two versions is defined in both, and calls its own: what
 * they store in a condition variable is not the same.
 */
#include "probes/threads/lock.h"

#ifndef __GLIBC__
int condition_counts[CONDITIONS];
#endif

/*
 * ---- Waiting ----------------------------------------------------------------------------------
 */

/* Logs that the thread waits; *outer is for cond_end(). Returns the time. */
static uint64_t cond_begin(const void *condition, const void *lock, const void *site,
			   uintptr_t frame, struct wait *outer)
{
	uint64_t now;

	lock_way_contend(lock);
	priority_check();
	now = glimpse_now();
	lock_released(now, lock, site, EXCLUSIVE, lock_releasing(now, lock));
	CondBegin_StampAt(now, condition, lock, site);
	wait_stack(now);
	glimpse_reserve(ROOM);
	condition_count(condition, 1);
	wait_begin((struct wait){WAIT_CONDITION, condition, lock, site, now, frame, NULL}, outer);
	return now;
}

static void cond_end(const void *condition, const void *lock, const void *site, int result,
		     uint64_t since, const struct wait *outer)
{
	uint64_t now = now_after();

	wait_end(outer);
	condition_count(condition, -1);
	if (lock_is_off(lock))
		lock = NULL; /* no release that was logged is what the thread waited for */
	else
		lock_log_at(now, lock, site, now);
	CondEnd_StampAt(now, condition, lock, process_id, result, since);
}

/* Waits: `call` does, and `error` is its result as an errno value. */
#define WAIT(condition, lock, call, error) \
	(__extension__({ \
		WAIT_UNWINDS(); \
		struct wait outer_; \
		uint64_t since_ = cond_begin(condition, lock, WRAP_SITE, FRAME, &outer_); \
		int result_ = (call); \
		cond_end(condition, lock, WRAP_SITE, error(result_), since_, &outer_); \
		result_; \
	}))
#define POSIX_ERROR(result) (result)

/*
 * ---- Signalling -------------------------------------------------------------------------------
 */

static void signal_log(uint64_t ticks, const void *condition, const void *site, unsigned waiters,
		       unsigned all)
{
	unsigned records = all ? waiters : 1;
	uint64_t at = now_after();

	if (!waiters) {
		CondUnheard_StampAt(ticks, condition, site, all);
		return;
	}
	while (records--)
		CondSignal_StampAt(ticks, condition, site, process_id, waiters, all, at);
}

/* Signals: `signal` does. */
#define SIGNAL(condition, waiters, all, signal) \
	(__extension__({ \
		unsigned waiters_ = (waiters); \
		uint64_t ticks_ = glimpse_now(); \
		int result_ = (signal); \
		signal_log(ticks_, condition, WRAP_SITE, waiters_, all); \
		result_; \
	}))

/*
 * ---- The functions of POSIX -------------------------------------------------------------------
 */

/* Those with two versions are in a file of their own, which is read once for each. */
#if BOTH_VERSIONS
#define FUNCTION(name) new_##name
#define VERSION(name) __asm__(".symver new_" #name ", " #name "@@" NEW_VERSION)
#else
#define FUNCTION(name) name
#define VERSION(name) _Static_assert(1, "there is one version")
#endif
#define REAL_COND REAL_NEW
#define WAITERS condition_waiters
#include "probes/threads/condition_version.h"

#if BOTH_VERSIONS
/*
 * The condition variables of version 2.2.5 point to one of the newer version, once they have one.
 */
static unsigned waiters_old(const pthread_cond_t *condition)
{
	const pthread_cond_t *newer =
	    __atomic_load_n((pthread_cond_t *const *)condition, __ATOMIC_ACQUIRE);

	return newer ? condition_waiters(newer) : 0;
}

#undef FUNCTION
#undef VERSION
#undef REAL_COND
#undef WAITERS
#define FUNCTION(name) old_##name
#define VERSION(name) __asm__(".symver old_" #name ", " #name "@" BARE_VERSION)
#define REAL_COND REAL_OLD
#define WAITERS waiters_old
#include "probes/threads/condition_version.h"
#endif

WRAP_EXPORT int pthread_cond_clockwait(pthread_cond_t *restrict condition,
				       pthread_mutex_t *restrict lock, clockid_t clock,
				       const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(pthread_cond_clockwait)(condition, lock, clock, until);
	return WAIT(
	    condition, lock,
	    (wait_limit(clock, until), REAL(pthread_cond_clockwait)(condition, lock, clock, until)),
	    POSIX_ERROR);
}

/*
 * ---- C11: the same variables by another name --------------------------------------------------
 */

WRAP_EXPORT int cnd_init(cnd_t *condition)
{
	int result = REAL(cnd_init)(condition);

	if (!QUIET() && result == thrd_success)
		CondInit_Stamp(condition, WRAP_SITE);
	return result;
}

WRAP_EXPORT void cnd_destroy(cnd_t *condition)
{
	if (!QUIET())
		CondDestroy_Stamp(condition, WRAP_SITE);
	REAL(cnd_destroy)(condition);
}

WRAP_EXPORT int cnd_wait(cnd_t *condition, mtx_t *lock)
{
	if (QUIET())
		return REAL(cnd_wait)(condition, lock);
	return WAIT(condition, lock, REAL(cnd_wait)(condition, lock), c11_error);
}

WRAP_EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict lock,
			      const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(cnd_timedwait)(condition, lock, until);
	return WAIT(
	    condition, lock,
	    (wait_limit(CLOCK_REALTIME, until), REAL(cnd_timedwait)(condition, lock, until)),
	    c11_error);
}

WRAP_EXPORT int cnd_signal(cnd_t *condition)
{
	if (QUIET())
		return REAL(cnd_signal)(condition);
	return SIGNAL(condition, condition_waiters((const pthread_cond_t *)condition), 0,
		      REAL(cnd_signal)(condition));
}

WRAP_EXPORT int cnd_broadcast(cnd_t *condition)
{
	if (QUIET())
		return REAL(cnd_broadcast)(condition);
	return SIGNAL(condition, condition_waiters((const pthread_cond_t *)condition), 1,
		      REAL(cnd_broadcast)(condition));
}
