/*
 * Every event of a trace, log by log: for what does not depend on the order between threads. It
 * costs a fraction of the merge, and uses all processors.
 */
#ifndef GLIMPSE_TRACE_STREAM_PASS_H
#define GLIMPSE_TRACE_STREAM_PASS_H

#include "trace/trace.h"

enum { EVENT_CHUNK = 512 };

/* Successive events of one type in one thread's log, in their order. */
struct event_chunk {
	const struct event_type *type;
	size_t thread; /* its index in the trace's threads */
	size_t n;
	int64_t time[EVENT_CHUNK];
	const unsigned char *record[EVENT_CHUNK];
};

/*
 * Calls take for all events of the types that are wanted (by event_type.index). Calls for one
 * thread come one behind the other and from one processor, those for several at the same time; of
 * one type they are in the order of their times.
 */
void trace_visit_events(const struct trace *t, const bool *wanted,
		void (*take)(void *context, const struct event_chunk *b), void *context);

#endif
