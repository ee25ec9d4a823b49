/*
 * Locks that the calling thread has, where that has to be known: lock_auto_off.h and lock_count.h.
 * So the release of each is logged exactly if its taking was.
 */
#ifndef GLIMPSE_PROBES_THREADS_HELD_LOCKS_H
#define GLIMPSE_PROBES_THREADS_HELD_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#define HELD_MOST 32u
/* As `since`: the taking was counted, and is not in the log. No time is so early. */
#define HELD_COUNTED 1u

struct held_lock {
	const void *lock;
	uint64_t since; /* ticks */
};

extern __thread struct held_lock held_locks[HELD_MOST] __attribute__((tls_model("initial-exec")));
extern __thread uint32_t held_locks_n __attribute__((tls_model("initial-exec")));

/* Returns false if the thread has too many locks. */
bool held_lock_add(const void *lock, uint64_t since);
/*
 * Returns since when the thread has the lock, which is released; 0: it is not known. Of a lock that
 * it has several times, this is the last.
 */
uint64_t held_lock_remove(const void *lock);

#endif
