/*
 * Measures how much of a run is unknown: the time of waits without a known cause that a thread of
 * the trace may have ended. Nobody knows how long such a wait is if threads run faster or slower.
 *
 * A wait counts while another thread of the trace runs, is ready, sleeps, or waits for input and
 * output: only such a thread can come to the event that ends the wait. While there is none, the end
 * comes from outside, and the wait has the same length in a changed run. Sleeps, timers, and input
 * and output are known.
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_UNKNOWN_H
#define GLIMPSE_ANALYSIS_GRAPH_UNKNOWN_H

#include "analysis/graph/critical_path.h"

struct unknown_waits;

/* Never returns NULL. The graph is needed as long. */
struct unknown_waits *unknown_waits_of(const struct graph *g);
void unknown_waits_free(struct unknown_waits *u);

/* Returns how much of a stretch is unknown, ns: 0 if its end is known, or comes from outside. */
int64_t unknown_in(const struct unknown_waits *u, uint32_t thread, size_t stretch);
/* The same of the time before a thread begins: 0 if its creator is known. */
int64_t unknown_before(const struct unknown_waits *u, uint32_t thread);

/* What of a critical path is unknown. */
struct unknown_part {
	int64_t time;    /* ns */
	uint32_t thread; /* that has most of it; NO_THREAD: none */
	int64_t most;    /* that it has, ns */
};

/* Looks at the path from one time to another. */
struct unknown_part unknown_on(const struct unknown_waits *u, const struct critical_path *path,
			       int64_t from, int64_t to);

/* The same for one answer. */
struct unknown_part unknown_of_path(const struct graph *g, const struct critical_path *path,
				    int64_t from, int64_t to);

/*
 * Returns whether so much unknown time of a run of that length could change an answer about its end
 * materially: then there is no answer.
 */
bool unknown_decides(int64_t unknown, int64_t run);

/* Returns how long such waits of all threads are, in sum: ns. */
int64_t unknown_all(const struct unknown_waits *u);
/*
 * Returns whether the threads mostly wait for causes that no event shows: the program wakes its
 * threads with a scheduler of its own, or with system calls that are not logged.
 */
bool unknown_is_usual(const struct unknown_waits *u);

#endif
