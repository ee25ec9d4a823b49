/*
 * Locks that --drop switches off: the probe counts how often each was taken and released, and how
 * long it was waited for and held. Only where GLIMPSE_DROP has a limit; without one, wrappers look
 * at lock_auto_off and do nothing else for it.
 *
 * A thread knows the locks that it has and whose taking was logged: their release is logged, too,
 * if they were switched off in between. So no lock seems to be held for ever.
 */
#ifndef GLIMPSE_PROBES_THREADS_LOCK_AUTO_OFF_H
#define GLIMPSE_PROBES_THREADS_LOCK_AUTO_OFF_H

#include "probes/auto_off.h"

/* Whether there is a limit; known when the library has been loaded. */
extern bool lock_auto_off;

/* What a release is to log. */
struct lock_release {
	bool logged;           /* Unlock */
	enum auto_off_why why; /* the lock is off from now on */
	uint64_t calls, mean;  /* why: how often it was taken; in nanoseconds */
};

/* Reads the limits. */
void lock_auto_off_read(void);

/* Returns whether the lock is off. */
bool lock_is_auto_off(const void *lock);

/* The calling thread has the lock since `now`, and asked for it at `since`: logs that, unless the
 * lock is off. */
void lock_auto_off_take(uint64_t now, const void *lock, const void *site, uint64_t since);

/* The calling thread is about to release the lock, at `now`. Counts the lock. */
struct lock_release lock_auto_off_release(uint64_t now, const void *lock);

/* The lock is another one from now on, or none. */
void lock_auto_off_forget(const void *lock);

/* The process was forked: its log knows nothing of what is off in its parent's. */
void lock_auto_off_forked(void);

#endif
