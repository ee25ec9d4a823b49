/*
 * Acquires and releases locks: the discipline of a lock says in which order, and whether waiting
 * threads spin.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_LOCK_QUEUES_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_LOCK_QUEUES_H

#include "analysis/replay/machine/simulation.h"

/* Returns how many threads have a semaphore at once; 0: it is a lock. */
static inline uint32_t lock_rooms(const struct simulation *s, uint32_t lock)
{
	return s->o->rooms ? s->o->rooms[lock] : 0;
}

/* Whether a thread has a lock if it asks for it now. */
static inline bool lock_admits(const struct simulation *s, uint32_t thread,
			       const struct operation *o)
{
	const struct lock_state *l = &s->locks[o->what];

	if (lock_rooms(s, o->what))
		return l->readers < lock_rooms(s, o->what);
	return l->holder == NOBODY || l->holder == thread || (o->shared && l->readers);
}

/*
 * Whether a thread that tries a lock sleeps before it tries again: the lock is not free, and others
 * go on.
 */
bool lock_is_missed(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now);
/* Returns whether the thread goes on at once. */
bool lock_take(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now);
void lock_release(struct simulation *s, const struct operation *o, int64_t now);

#endif
