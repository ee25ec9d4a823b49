#include "probes/threads/lock.h"

WRAP_EXPORT int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	if (QUIET())
		return REAL(pthread_spin_init)(lock, shared);
	return INIT(lock, REAL(pthread_spin_init)(lock, shared));
}

WRAP_EXPORT int pthread_spin_destroy(pthread_spinlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_spin_destroy)(lock);
	return DESTROY(lock, REAL(pthread_spin_destroy)(lock));
}

WRAP_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_spin_lock)(lock);
	return ACQUIRE(lock, EXCLUSIVE, REAL(pthread_spin_trylock)(lock),
		       REAL(pthread_spin_lock)(lock));
}

WRAP_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_spin_trylock)(lock);
	return TRY(lock, REAL(pthread_spin_trylock)(lock));
}

WRAP_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	if (QUIET())
		return REAL(pthread_spin_unlock)(lock);
	return RELEASE(lock, EXCLUSIVE, REAL(pthread_spin_unlock)(lock));
}
