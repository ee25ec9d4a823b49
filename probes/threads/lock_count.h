/*
 * Locks that are taken so often that logging them would cost the program too much: each taking of a
 * lock for which nobody has waited is then counted, and no longer logged. From the first time that
 * a thread waits for the lock, or finds it taken, all its takings are logged.
 *
 * lock_way.h says when counting begins. Then each lock that is held for a short time, 5 us on
 * average over 8 acquisitions, is counted by each thread in a table of its own. The thread logs the
 * sum every 1,024 acquisitions, when the place in the table is needed for another lock, and when it
 * or the process ends.
 */
#ifndef GLIMPSE_PROBES_THREADS_LOCK_COUNT_H
#define GLIMPSE_PROBES_THREADS_LOCK_COUNT_H

#include "probes/auto_off.h"
#include "runtime/glimpse.h"
#include <stddef.h>

/* What a thread counts of a lock: the place of one in its table. */
struct counted_lock {
	const void *lock, *site;
	struct auto_off_site *shared; /* off: it is counted; chosen: somebody waited for it */
	uint64_t since;               /* of a hold that is measured; 0: of none */
	uint64_t ticks;               /* of the measured ones */
	uint32_t timed, calls;
	uint32_t held;    /* so often the thread has it, and only counted that */
	uint32_t changes; /* lock_count_changes when it was last counted; 0: it is not */
};

/* How often a lock was found taken for the first time, or became another one, and one more. */
extern uint32_t lock_count_changes;

/*
 * A power of two: a table has 128 KiB, as a program may have a thousand threads. Those that have
 * more locks log their sums more often.
 */
#define LOCK_PLACES 2048u
struct counted_locks {
	struct counted_locks *next;
	uint32_t taken; /* by a thread */
	uint32_t held;  /* of all locks */
	struct counted_lock at[LOCK_PLACES];
};

/* The calling thread's; NULL: it has none yet. */
extern __thread struct counted_locks *counted_locks __attribute__((tls_model("initial-exec")));

/* Returns the only place where a lock can be. */
static inline struct counted_lock *lock_count_place(struct counted_locks *t, const void *lock)
{
	return &t->at[((uintptr_t)lock * UINT64_C(0x9e3779b97f4a7c15)) >> 53];
}

/* Returns the place in a table, NULL: there is none, if the lock is there; else NULL. */
static inline struct counted_lock *lock_count_known(struct counted_locks *t, const void *lock)
{
	struct counted_lock *c = t ? lock_count_place(t, lock) : NULL;

	return c && c->lock == lock ? c : NULL;
}

/* Whether a lock that is known is counted, as far as the thread has looked. */
static inline bool lock_is_counted(const struct counted_lock *c)
{
	return c && c->changes == __atomic_load_n(&lock_count_changes, __ATOMIC_RELAXED);
}

/* The same as lock_counting() where the place does not say that the lock is counted. */
struct counted_lock *lock_counting_looked(const void *lock);

/*
 * Returns the place of a lock if it is counted and not to be logged, or NULL. Stands before the
 * lock is taken: the processor would wait for each of these reads after it.
 */
static inline struct counted_lock *lock_counting(const void *lock)
{
	struct counted_lock *c = lock_count_known(counted_locks, lock);

	if (__builtin_expect(lock_is_counted(c) && !glimpse_paused(), 1))
		return c;
	return lock_counting_looked(lock);
}

/* The calling thread has taken the lock of that place. */
void lock_counted(struct counted_lock *c, const void *site);

/* A hold is over whose time is measured. */
void lock_hold_measured(struct counted_lock *c);

/*
 * The calling thread is about to release the lock. Returns true if only its taking was counted, and
 * the release is not to be logged either; false: lock_count_release() decides.
 */
static inline bool lock_count_releases(const void *lock)
{
	struct counted_lock *c = lock_count_known(counted_locks, lock);

	if (!lock_is_counted(c) || !c->held)
		return false;
	c->held--;
	counted_locks->held--;
	if (__builtin_expect(c->since != 0, 0))
		lock_hold_measured(c);
	return true;
}

/* The calling thread has the lock now. Returns true if that is counted, and not to be logged. */
bool lock_count_take(const void *lock, const void *site);
/*
 * The calling thread is about to release the lock. Returns true if the release is not to be logged.
 * Else *late is where the thread took the lock, if that is to be logged only now, or NULL.
 */
bool lock_count_release(const void *lock, const void **late);
/* A thread waits for the lock, or found it taken: it is logged from now on. */
void lock_count_contend(const void *lock);
/* The lock is another one, or none, from `now` on: logs what all threads counted until then. */
void lock_count_forget(uint64_t now, const void *lock);
/*
 * The thread waits since `now`: logs that it has the locks whose takings it only counted. They are
 * logged from now on.
 */
void lock_count_waits(uint64_t now);
/* The calling thread ends; the process ends: logs what was counted. */
void lock_count_thread_end(void);
void lock_count_process_end(void);
/* The process was forked: what was counted is logged by the parent. */
void lock_count_forked(void);

#endif
