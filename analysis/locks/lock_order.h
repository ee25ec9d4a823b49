/*
 * Finds possible deadlocks: cycles of threads in which each acquires a lock that the next one
 * holds. A cycle needs as many threads as it has steps, and no lock that two of its steps hold:
 * that lock would let only one of them continue.
 */
#ifndef GLIMPSE_ANALYSIS_LOCKS_LOCK_ORDER_H
#define GLIMPSE_ANALYSIS_LOCKS_LOCK_ORDER_H

#include "analysis/locks/lock_walk.h"

/* A thread has a lock and takes another one: that which the next step has. */
struct lock_step {
	struct lock_place held, taken;
	uint32_t thread; /* one that did so; index in the trace's threads */
	uint64_t times;
};

struct lock_cycle {
	VECTOR(struct lock_step) steps;
};

struct lock_order {
	VECTOR(struct lock_cycle) cycles; /* the shortest first; one for the same locks */
	bool incomplete;                  /* there are too many ways to look at all */
};

/* threads: nthreads walked ones. */
void lock_order_find(struct lock_order *o, const struct walked_locks *threads, uint32_t nthreads,
		     uint32_t nlocks);
void lock_order_free(struct lock_order *o);

/* So many cycles are found at most, and so many steps tried. Tests change it. */
enum { LOCK_CYCLES_MOST = 100 };
extern uint64_t lock_order_tries;

#endif
