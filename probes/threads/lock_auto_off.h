/*
 * Locks that --drop switches off: the probe counts how often each was taken and released, and how
 * long it was waited for and held. Only where GLIMPSE_DROP has a limit: lock_way.h.
 *
 * A thread knows the locks that it has and whose taking was logged: their release is logged, too,
 * if they were switched off in between. So no lock seems to be held for ever.
 */
#ifndef GLIMPSE_PROBES_THREADS_LOCK_AUTO_OFF_H
#define GLIMPSE_PROBES_THREADS_LOCK_AUTO_OFF_H

#include "probes/auto_off.h"

/* What a release is to log. */
struct lock_release {
	bool logged;           /* Unlock */
	const void *late;      /* Lock before that, with this site, or NULL */
	enum auto_off_why why; /* the lock is off from now on */
	uint64_t calls, mean;  /* why: how often it was taken; in nanoseconds */
};

/* Returns whether the lock is off. */
bool lock_is_auto_off(const void *lock);

/* The calling thread has the lock since `now`, and asked for it at `since`: logs that, unless the
 * lock is off. */
void lock_auto_off_take(uint64_t now, const void *lock, const void *site, uint64_t since);

/* The calling thread is about to release the lock, at `now`. Counts the lock. */
struct lock_release lock_auto_off_release(uint64_t now, const void *lock);

#endif
