/*
 * Finds threads that try again and again at one call site, without sleeping, until another thread has released a
 * lock, has let some thread go on, or has ended: loops of failed tries and of sched_yield().
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_SPIN_LOOP_H
#define GLIMPSE_ANALYSIS_REPLAY_SPIN_LOOP_H

#include "analysis/replay/model.h"

struct spin_loop {
	int64_t from, to; /* first and last try */
	int64_t time;     /* when the thread `of` did what ended the loop */
	uint32_t thread, of;
	bool yields; /* between tries others may run */
};

typedef VECTOR(struct spin_loop) spin_loops;

/* Announces the events that it needs. */
void spin_loops_announce(struct trace *t);
/*
 * Returns all of them, by thread, then time. The caller frees them. *unexplained: how long threads tried in loops of
 * which nobody knows what ended them, in ns.
 */
spin_loops spin_loops_of(const struct model *m, int64_t *unexplained);

#endif
