/*
 * How takings of locks are logged: all; those of locks that --drop leaves; or, where logging all
 * would cost the program more than 2 % of its processor time, those of locks that somebody waited
 * for. Wrappers look at `lock_way`, and do nothing else for it as long as all are logged.
 */
#ifndef GLIMPSE_PROBES_THREADS_LOCK_WAY_H
#define GLIMPSE_PROBES_THREADS_LOCK_WAY_H

#include "probes/threads/lock_auto_off.h"
#include "probes/threads/lock_count.h"

enum lock_way { LOCKS_LOGGED, LOCKS_DROPPED, LOCKS_COUNTED };
extern enum lock_way lock_way;

/* Takings that the thread may log until lock_budget_look() is due. */
#define BUDGET_LOCKS 32768u
extern __thread uint32_t lock_budget __attribute__((tls_model("initial-exec")));

/* Reads GLIMPSE_DROP and GLIMPSE_FULL. */
void lock_way_read(void);
/* Begins to count if the thread has taken locks too often since the last look, or its begin. */
void lock_budget_look(void);

/*
 * The calling thread has the lock since `now`, 0: since just now, and asked for it at `since`: logs
 * or counts that.
 */
void lock_way_take(uint64_t now, const void *lock, const void *site, uint64_t since);
/* The calling thread is about to release the lock, at `now`. */
struct lock_release lock_way_release(uint64_t now, const void *lock);
/* The calling thread waits for the lock, or found it taken. */
static inline void lock_way_contend(const volatile void *lock)
{
	if (__builtin_expect(lock_way == LOCKS_COUNTED, 0))
		lock_count_contend((const void *)lock);
}

/* The lock is another one, or none, from `now` on. */
void lock_way_forgotten(uint64_t now, const void *lock);
static inline void lock_way_forget(uint64_t now, const volatile void *lock)
{
	if (__builtin_expect(lock_way != LOCKS_LOGGED, 0))
		lock_way_forgotten(now, (const void *)lock);
}

/* The process was forked: its log knows nothing of what is off, or counted, in its parent's. */
void lock_way_forked(void);

#endif
