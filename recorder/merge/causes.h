/*
 * What let threads go on, as the program's own events say: the intervals of kind "cause" lead from
 * there to the thread that was let go on.
 */
#ifndef GLIMPSE_PROBES_ADOPT_CAUSES_H
#define GLIMPSE_PROBES_ADOPT_CAUSES_H

#include "trace/trace.h"

struct cause {
	uint32_t thread;        /* that was let go on: its number in the trace */
	int64_t from, to;       /* CLOCK_MONOTONIC */
};

struct causes {
	struct cause *at;       /* by thread, then by from */
	size_t n, room;
};

/* Finds all causes of a trace; none if it is so large that this would take long. */
void causes_find(struct causes *c, struct trace *t);
/*
 * Returns when a thread that could not go on at `blocked` was let go on, if it ran at `ran`;
 * INT64_MIN if that is not known.
 */
int64_t causes_when(const struct causes *c, uint32_t thread, int64_t blocked, int64_t ran);
void causes_free(struct causes *c);

#endif
