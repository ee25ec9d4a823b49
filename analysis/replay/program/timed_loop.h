/*
 * Builds the operations of a loop of waits with a time limit. A wait that timed out is first added
 * as a delay, between two operations that do nothing; once the loop's last wait is known, which was
 * ended in time, it waits for the same:
 *
 *	LIMIT WAIT LOOP(forwards)   work   LIMIT WAIT LOOP(forwards)   work   LIMIT WAIT LOOP(back to the last work)
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_TIMED_LOOP_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_TIMED_LOOP_H

#include "analysis/replay/program/operations.h"
#include "analysis/replay/reasons/timed_waits.h"

struct timed_place {
	size_t wait;   /* the operation; the limit is before it, the loop after it */
	size_t listed; /* of the listed waits without a known cause (operations.waits) */
	int64_t left;
};

struct timed_loop {
	VECTOR(struct timed_place) waits; /* that timed out. The caller frees them */
	size_t last;                      /* stretch of the wait that ends it */
	size_t first_listed;              /* once it has ended: of its listed waits */
};

/* Adds a wait that timed out; its three operations are the last ones. */
void timed_loop_add(struct timed_loop *l, const struct operations *o, const struct timed_wait *w);
/*
 * Ends the loop with the last two operations, a limit and a wait for a post. Returns how many
 * operations a LOOP after them goes back until it has been posted. Up to the last thing in the loop
 * that concerns other threads, waits stay delays; if there are no others, returns 0.
 */
int64_t timed_loop_end(struct timed_loop *l, struct operations *o);

#endif
