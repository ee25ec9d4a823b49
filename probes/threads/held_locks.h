/*
 * Locks that the calling thread has, where that has to be known: lock_auto_off.h, so that
 * the release of each is logged exactly if its taking was, and lock_count.h, for how long.
 */
#ifndef GLIMPSE_PROBES_THREADS_HELD_LOCKS_H
#define GLIMPSE_PROBES_THREADS_HELD_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns false if the thread has too many locks. */
bool held_lock_add(const void *lock, uint64_t since);
/*
 * Returns since when the thread has the lock, which is released; 0: it is not known. Of a lock that
 * it has several times, this is the last.
 */
uint64_t held_lock_remove(const void *lock);

#endif
