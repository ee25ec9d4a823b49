#include "probes/threads/lock.h"

/*
 * Tries to take a mutex. glibc's pthread_mutex_trylock() leaves a robust mutex locked that cannot
 * be recovered, so a robust one is only looked at.
 */
static int mutex_try(pthread_mutex_t *lock)
{
	if (!mutex_is_robust(lock))
		return REAL(pthread_mutex_trylock)(lock);
	return mutex_is_owned(lock) ? EBUSY : LOCK_UNTRIED;
}

WRAP_EXPORT int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes)
{
	if (QUIET())
		return REAL(pthread_mutex_init)(lock, attributes);
	return INIT(lock, REAL(pthread_mutex_init)(lock, attributes));
}

WRAP_EXPORT int pthread_mutex_destroy(pthread_mutex_t *lock)
{
	if (QUIET())
		return REAL(pthread_mutex_destroy)(lock);
	return DESTROY(lock, REAL(pthread_mutex_destroy)(lock));
}

/*
 * Taking and releasing a mutex that is free is what most programs do most: what is rare stands in
 * functions of its own, which leaves few registers to save. A wait that was left by a jump ends
 * with the next lock, not with a release.
 */
#define WRAP_RARE __attribute__((noinline, cold))

static int first_trylock(pthread_mutex_t *lock);
static int first_unlock(pthread_mutex_t *lock);

/* The real functions, found by the first call. */
static int (*hot_trylock)(pthread_mutex_t *lock) = first_trylock;
static int (*hot_unlock)(pthread_mutex_t *lock) = first_unlock;

static int first_trylock(pthread_mutex_t *lock)
{
	__atomic_store_n(&hot_trylock, REAL(pthread_mutex_trylock), __ATOMIC_RELAXED);
	return hot_trylock(lock);
}

static int first_unlock(pthread_mutex_t *lock)
{
	__atomic_store_n(&hot_unlock, REAL(pthread_mutex_unlock), __ATOMIC_RELAXED);
	return hot_unlock(lock);
}

static WRAP_RARE int mutex_lock_rare(pthread_mutex_t *lock, const void *site, uintptr_t frame)
{
	if (wait_now.kind)
		wait_left(frame);
	return ACQUIRE_AT(lock, site, EXCLUSIVE, mutex_try(lock), REAL(pthread_mutex_lock)(lock));
}

static WRAP_RARE int mutex_lock_tried(pthread_mutex_t *lock, const void *site, int tried)
{
	return ACQUIRE_AT(lock, site, EXCLUSIVE, tried, REAL(pthread_mutex_lock)(lock));
}

/* Where free locks are counted. */
static int mutex_lock_counted(pthread_mutex_t *lock, const void *site)
{
	struct counted_lock *c = lock_counting(lock);
	int tried;

	glimpse_reserve(ROOM);
	tried = hot_trylock(lock);
	if (!WRAP_LIKELY(!tried))
		return mutex_lock_tried(lock, site, tried);
	if (c)
		lock_counted(c, site);
	else
		lock_log(lock, site);
	return 0;
}

WRAP_EXPORT WRAP_HOT int pthread_mutex_lock(pthread_mutex_t *lock)
{
	int tried;

	if (wrap_quiet())
		return REAL(pthread_mutex_lock)(lock);
	if (__builtin_expect(wait_now.kind || lock_way != LOCKS_LOGGED || mutex_is_robust(lock), 0))
		return lock_way == LOCKS_COUNTED && !wait_now.kind && !mutex_is_robust(lock)
			   ? mutex_lock_counted(lock, WRAP_SITE)
			   : mutex_lock_rare(lock, WRAP_SITE, FRAME);
	glimpse_reserve(ROOM);
	tried = hot_trylock(lock);
	if (!WRAP_LIKELY(!tried))
		return mutex_lock_tried(lock, WRAP_SITE, tried);
	Lock_Stamp(lock, WRAP_SITE);
	if (__builtin_expect(!--lock_budget, 0))
		lock_budget_look();
	return 0;
}

WRAP_EXPORT int pthread_mutex_trylock(pthread_mutex_t *lock)
{
	if (QUIET())
		return REAL(pthread_mutex_trylock)(lock);
	return TRY(lock, REAL(pthread_mutex_trylock)(lock));
}

WRAP_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict lock,
					const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(pthread_mutex_timedlock)(lock, until);
	return ACQUIRE_UNTIL(lock, EXCLUSIVE, CLOCK_REALTIME, until, mutex_try(lock),
			     REAL(pthread_mutex_timedlock)(lock, until));
}

WRAP_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *restrict lock, clockid_t clock,
					const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(pthread_mutex_clocklock)(lock, clock, until);
	return ACQUIRE_UNTIL(lock, EXCLUSIVE, clock, until, mutex_try(lock),
			     REAL(pthread_mutex_clocklock)(lock, clock, until));
}

static int mutex_unlock_counted(pthread_mutex_t *lock, const void *site)
{
	if (lock_way == LOCKS_COUNTED && lock_count_releases(lock))
		return hot_unlock(lock);
	return RELEASE_AT(lock, site, EXCLUSIVE, REAL(pthread_mutex_unlock)(lock));
}

WRAP_EXPORT WRAP_HOT int pthread_mutex_unlock(pthread_mutex_t *lock)
{
	uint64_t ticks;
	int result;

	if (wrap_quiet())
		return REAL(pthread_mutex_unlock)(lock);
	if (__builtin_expect(lock_way != LOCKS_LOGGED, 0))
		return mutex_unlock_counted(lock, WRAP_SITE);
	ticks = glimpse_now();
	result = hot_unlock(lock);
	if (!WRAP_LIKELY(!result))
		return result;
	Unlock_StampAt(ticks, lock, WRAP_SITE, lock_mode(EXCLUSIVE));
	return 0;
}

/*
 * ---- C11 --------------------------------------------------------------------------------------
 */

WRAP_EXPORT int mtx_init(mtx_t *lock, int type)
{
	if (QUIET())
		return REAL(mtx_init)(lock, type);
	return INIT(lock, REAL(mtx_init)(lock, type));
}

WRAP_EXPORT void mtx_destroy(mtx_t *lock)
{
	if (!QUIET()) {
		lock_way_forget(glimpse_now(), lock);
		LockDestroy_Stamp(lock, WRAP_SITE);
	}
	REAL(mtx_destroy)(lock);
}

WRAP_EXPORT int mtx_lock(mtx_t *lock)
{
	int c11 = thrd_success;

	if (QUIET())
		return REAL(mtx_lock)(lock);
	ACQUIRE(lock, EXCLUSIVE, c11_error(REAL(mtx_trylock)(lock)),
		c11_error(c11 = REAL(mtx_lock)(lock)));
	return c11;
}

WRAP_EXPORT int mtx_trylock(mtx_t *lock)
{
	int c11;

	if (QUIET())
		return REAL(mtx_trylock)(lock);
	TRY(lock, c11_error(c11 = REAL(mtx_trylock)(lock)));
	return c11;
}

WRAP_EXPORT int mtx_timedlock(mtx_t *restrict lock, const struct timespec *restrict until)
{
	int c11 = thrd_success;

	if (QUIET())
		return REAL(mtx_timedlock)(lock, until);
	ACQUIRE_UNTIL(lock, EXCLUSIVE, CLOCK_REALTIME, until, c11_error(REAL(mtx_trylock)(lock)),
		      c11_error(c11 = REAL(mtx_timedlock)(lock, until)));
	return c11;
}

WRAP_EXPORT int mtx_unlock(mtx_t *lock)
{
	int c11;

	if (QUIET())
		return REAL(mtx_unlock)(lock);
	RELEASE(lock, EXCLUSIVE, c11_error(c11 = REAL(mtx_unlock)(lock)));
	return c11;
}
