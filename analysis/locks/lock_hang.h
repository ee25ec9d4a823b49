/*
 * Finds which thread waits for which at the end of a trace, among threads that have not ended. A
 * wait or hold whose end was lost or switched off is left out.
 */
#ifndef GLIMPSE_ANALYSIS_LOCKS_LOCK_HANG_H
#define GLIMPSE_ANALYSIS_LOCKS_LOCK_HANG_H

#include "analysis/locks/lock_walk.h"

#define NO_WAITER UINT32_MAX

struct lock_waiter {
	uint32_t thread; /* index in the trace's threads */
	struct lock_open wait;
	/*
	 * A thread that has it, and where it took it; or that is waited for. NO_WAITER: not known.
	 */
	uint32_t holder;
	uint32_t holder_site;
	bool holder_ended; /* without letting it go */
	bool is_thread;    /* the wait is for the end of the holder */
	bool evident;   /* no other thread has it, and the wait began before the logs were read */
	uint32_t cycle; /* number of the cycle that it is in, from 1; 0: in none */
	/* the holder, if that waits, too, and is evident: in the waiters; NO_WAITER */
	uint32_t next;
};

struct lock_hang {
	/* those of each cycle in its order, then the rest */
	VECTOR(struct lock_waiter) waiters;
	uint32_t ncycles;
};

void lock_hang_find(struct lock_hang *h, const struct walked_locks *threads, uint32_t nthreads,
		    const struct lock_sources *s);
void lock_hang_free(struct lock_hang *h);

#endif
