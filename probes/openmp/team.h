/*
 * What the two ways of observing OpenMP share, libgomp's entry points and libomp's interface for
 * tools: where the calling thread is in its regions, and the events that need to know it.
 */
#ifndef GLIMPSE_PROBES_OPENMP_TEAM_H
#define GLIMPSE_PROBES_OPENMP_TEAM_H

#include <stdbool.h>
#include <stdint.h>

/* Where a thread is; a region that it begins inside of another one has a place of its own. */
struct team_place {
	uint32_t region; /* 0: outside of any */
	uint32_t round;  /* of its next barrier there, from 0 */
	bool chunk;      /* it is in a chunk of a loop, or in a section */
};

/* Returns the number of a new region, which the calling thread begins. */
uint32_t team_fork(const void *function, const void *site);
/* The region is over for the thread that began it. */
void team_join(uint32_t region);

/* The calling thread runs the body of a region; *outer keeps its place for team_leave(). */
void team_enter(struct team_place *outer, uint32_t region, uint32_t number, const void *function);
/* It has run it, and waits for the others. */
void team_leave(const struct team_place *outer);

/*
 * Returns whether a chunk, a task or a critical construct is to be logged, and counts it. They are
 * not once they were too many in a thread for the time that it ran (GLIMPSE_FULL: they always are).
 */
bool team_detail(const void *site);
/* The same of a critical construct, or lock, that the thread asks for; has; and ends. */
bool team_critical_begin(const void *lock, const void *site);
bool team_critical_has(const void *lock);
bool team_critical_end(const void *lock);

/* The next chunk begins, and the one before it ends; with `more` false there is none. */
void team_chunk(bool more, int64_t first, int64_t last, const void *site);

/*
 * The thread waits for its team, and goes on. What is between the two may be a chunk's end: a
 * loop's end has a barrier.
 */
void team_barrier_begin(const void *site);
void team_barrier_end(void);

/* Returns the number of a new task. */
uint64_t team_task(void);

#endif
