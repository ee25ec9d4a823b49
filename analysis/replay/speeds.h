/* How much faster parts of the threads' time are than they were. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_SPEEDS_H
#define GLIMPSE_ANALYSIS_REPLAY_SPEEDS_H

#include "analysis/graph/span_list.h"
#include "base/array.h"
#include "trace/trace.h"
#include <stdbool.h>

struct speed_change {
	const char *what;       /* a pattern of functions, intervals, held locks or places; "thread:NAME" */
	bool own;               /* of functions without what they call */
	double factor;          /* so many times as fast; INFINITY: gone */
};

/* From `from` on, up to the next one: so much of its time is left. */
struct speed {
	int64_t from;
	double kept;
};

struct speeds {
	VECTOR(struct speed) all;       /* by thread, in the order of time; the first of each is at INT64_MIN */
	size_t *first;                  /* of each thread, and one more */
};

/*
 * Returns the speeds after n changes; where several apply, that which began last holds. Returns NULL
 * and sets *unknown to the first change that is about nothing in the trace.
 */
struct speeds *speeds_of(struct trace *t, const struct speed_change *changes, unsigned n,
			 const struct speed_change **unknown);
void speeds_free(struct speeds *s);

/*
 * Returns what is left of the time from one moment to another. *cursor goes on from one call to the
 * next, which is about the same thread and a time not before; the thread's first[] at first.
 */
double speeds_length(const struct speeds *s, uint32_t thread, size_t *cursor, int64_t from, int64_t to);

#endif
