/* Taking a lock so that waiting for it is seen: a lock that is free at once logs nothing. */
#ifndef PGZ_LOCK_H
#define PGZ_LOCK_H

#include "pgz_glimpse.h"
#include <pthread.h>

static inline void lock_take(pthread_mutex_t *lock)
{
	if (pthread_mutex_trylock(lock) == 0)
		return;
	LockWant_Stamp(lock);
	pthread_mutex_lock(lock);
	LockGot_Stamp(lock);
}

#endif
