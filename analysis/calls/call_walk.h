/* Walks the calls of one thread with a stack, from its events in order. */
#ifndef GLIMPSE_ANALYSIS_CALLS_CALL_WALK_H
#define GLIMPSE_ANALYSIS_CALLS_CALL_WALK_H

#include "analysis/calls/call_sources.h"

/* A function as the thread's events have it. */
struct call_address {
	uint32_t source;
	struct event event; /* the first that began a call of it */
};

struct walked_thread {
	struct thread_calls calls; /* functions are indices in addresses */
	VECTOR(struct call_address) addresses;
};

/* thread: index in the trace's threads. */
void call_walk(struct walked_thread *result, const struct call_sources *s, size_t thread,
	       const struct call_part *part);

#endif
