/*
 * Finds the call stacks of waits: events of the kind "wait" have them. A stack is that of the wait
 * (kinds "wait" and "io") of the thread that began last among those that are under way, unless that
 * wait has a stack already.
 */
#ifndef GLIMPSE_ANALYSIS_STACKS_WAIT_STACKS_H
#define GLIMPSE_ANALYSIS_STACKS_WAIT_STACKS_H

#include "base/array.h"
#include "trace/trace.h"

/*
 * Stacks 0 and 1 have no frames: of the first nothing is left out, of the second the callers are
 * not known.
 */
enum { WAIT_STACK_NONE, WAIT_STACK_CUT };

struct wait_stack {
	const char *function,
	    *file; /* of the innermost frame, "main" and "pool.c" or NULL; the trace keeps them */
	uint32_t caller; /* the stack without it */
};

struct wait_stack_event {
	int64_t time;
	uint32_t stack; /* in the stacks */
};

struct wait_stacks {
	VECTOR(struct wait_stack) stacks;
	VECTOR(struct wait_stack_event) *
	    threads; /* as the trace's threads, in the order of time */
	unsigned nthreads;
};

/* Finds the stacks of a trace, which may have none; wait_stacks_free() frees them. */
void wait_stacks_find(struct wait_stacks *w, const struct trace *t);
void wait_stacks_free(struct wait_stacks *w);

#endif
