/*
 * Finds threads that retry at one call site, without sleeping, until another thread has released a
 * lock, has woken some thread, or has ended: loops of failed tries and of sched_yield().
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_SPIN_LOOP_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_SPIN_LOOP_H

#include "analysis/graph/tries.h"
#include "analysis/replay/recorded/model.h"

struct spin_loop {
	int64_t from, to; /* first and last try */
	int64_t time;     /* when the thread `of` did what ended the loop */
	uint32_t thread, of;
	bool yields; /* between tries others may run */
};

typedef VECTOR(struct spin_loop) spin_loops;

/*
 * Returns the loops among all tries, by thread, then time. The caller frees them. *unexplained: the
 * time (ns) in loops whose end has no known cause.
 */
spin_loops spin_loops_of(const struct model *m, const tries *all, int64_t *unexplained);

#endif
