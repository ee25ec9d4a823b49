#include "probes/threads/lock.h"

/* How the calling thread, which has the lock, has it: readers of a lock have no name there. */
static unsigned rwlock_shared(const pthread_rwlock_t *lock)
{
	return rwlock_has_writer(lock) ? EXCLUSIVE : SHARED;
}

WRAP_EXPORT int pthread_rwlock_init(pthread_rwlock_t *restrict lock,
				    const pthread_rwlockattr_t *restrict attributes)
{
	if (QUIET())
		return REAL(pthread_rwlock_init)(lock, attributes);
	return INIT(lock, REAL(pthread_rwlock_init)(lock, attributes));
}

WRAP_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_rwlock_destroy)(lock);
	return DESTROY(lock, REAL(pthread_rwlock_destroy)(lock));
}

#define READ(lock) \
	ACQUIRE(lock, SHARED, REAL(pthread_rwlock_tryrdlock)(lock), \
		REAL(pthread_rwlock_rdlock)(lock))
#define WRITE(lock) \
	ACQUIRE(lock, EXCLUSIVE, REAL(pthread_rwlock_trywrlock)(lock), \
		REAL(pthread_rwlock_wrlock)(lock))
#define READ_UNTIL(lock, clock, until, wait) \
	ACQUIRE_UNTIL(lock, SHARED, clock, until, REAL(pthread_rwlock_tryrdlock)(lock), wait)
#define WRITE_UNTIL(lock, clock, until, wait) \
	ACQUIRE_UNTIL(lock, EXCLUSIVE, clock, until, REAL(pthread_rwlock_trywrlock)(lock), wait)

WRAP_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_rwlock_rdlock)(lock);
	return READ(lock);
}

WRAP_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_rwlock_tryrdlock)(lock);
	return TRY(lock, REAL(pthread_rwlock_tryrdlock)(lock));
}

WRAP_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
					   const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(pthread_rwlock_timedrdlock)(lock, until);
	return READ_UNTIL(lock, CLOCK_REALTIME, until,
			  REAL(pthread_rwlock_timedrdlock)(lock, until));
}

WRAP_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
					   const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(pthread_rwlock_clockrdlock)(lock, clock, until);
	return READ_UNTIL(lock, clock, until, REAL(pthread_rwlock_clockrdlock)(lock, clock, until));
}

WRAP_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_rwlock_wrlock)(lock);
	return WRITE(lock);
}

WRAP_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_rwlock_trywrlock)(lock);
	return TRY(lock, REAL(pthread_rwlock_trywrlock)(lock));
}

WRAP_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
					   const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(pthread_rwlock_timedwrlock)(lock, until);
	return WRITE_UNTIL(lock, CLOCK_REALTIME, until,
			   REAL(pthread_rwlock_timedwrlock)(lock, until));
}

WRAP_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
					   const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(pthread_rwlock_clockwrlock)(lock, clock, until);
	return WRITE_UNTIL(lock, clock, until,
			   REAL(pthread_rwlock_clockwrlock)(lock, clock, until));
}

WRAP_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_rwlock_unlock)(lock);
	return RELEASE(lock, rwlock_shared(lock), REAL(pthread_rwlock_unlock)(lock));
}
