/*
 * Finds where a run ends: with the thread that ends its process. Threads that only wait then, and
 * others that the end of the process ends, do not make the run longer.
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_RUN_END_H
#define GLIMPSE_ANALYSIS_GRAPH_RUN_END_H

#include "analysis/graph/graph.h"

/*
 * Sets `ended` of all threads; exits: of each thread, when it ended its process last (event kind
 * "exit"), INT64_MIN: it did not. Without such an event in a process, only its threads that wait at
 * their end for what does not come are ended by others. If that is so of all threads of the trace,
 * the first thread that did anything in the process with the latest end is not.
 */
void run_end_find(struct graph *g, const int64_t *exits);

/* Returns the thread with which the run ends: the one with the latest end that nobody ended. */
uint32_t run_end_thread(const struct graph *g);
/* Returns whether a stretch is in a wait that only the end of the thread's process ended. */
static inline bool run_end_waits(const struct timeline *l, size_t stretch)
{
	return l->ended && l->stretches[stretch].from >= l->idle;
}
/* Returns when the run ends, in ns from the beginning of the trace. */
int64_t run_end_time(const struct graph *g);

#endif
