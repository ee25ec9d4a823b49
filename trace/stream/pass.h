/*
 * Passes over every event of a trace, log by log, on all processors: for results that do not depend
 * on the order between threads. It costs a fraction of the merge.
 */
#ifndef GLIMPSE_TRACE_STREAM_PASS_H
#define GLIMPSE_TRACE_STREAM_PASS_H

#include "trace/trace.h"

enum { EVENT_CHUNK = 512 };

/* Successive events of one type in one thread, in order. */
struct event_chunk {
	const struct event_type *type;
	size_t thread; /* its index in the trace's threads */
	size_t n;
	int64_t time[EVENT_CHUNK];
	const unsigned char *record[EVENT_CHUNK];
};

/*
 * Calls visit for all events of the wanted types (indexed by event_type.index). Calls for one
 * thread come one after another and from one processor, those for several threads at the same time;
 * the events of one type and thread are in order of time.
 */
void trace_visit_events(const struct trace *t, const bool *wanted,
			void (*visit)(void *context, const struct event_chunk *c), void *context);

#endif
