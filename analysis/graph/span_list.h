/* Instances of intervals within threads, by thread, in the order of their starts. */
#ifndef GLIMPSE_ANALYSIS_GRAPH_SPAN_LIST_H
#define GLIMPSE_ANALYSIS_GRAPH_SPAN_LIST_H

#include "analysis/activity/roles.h"
#include "base/array.h"
#include "trace/trace.h"

struct listed_span {
	int64_t start, end;
	uint32_t thread;        /* index in the trace's threads */
	uint32_t number;        /* of the caller's */
};

struct span_list {
	VECTOR(struct listed_span) all;
	size_t *first;          /* of each thread, and one more, after span_list_sort() */
};

/* Returns the number of an instance from the event that begins it. */
typedef uint32_t span_number(void *context, const struct event *start);

/*
 * Adds the instances of an interval whose ends are in one thread. What had begun and never ended
 * lasts to the end of its thread: INT64_MAX.
 */
void span_list_add(struct span_list *s, struct trace *t, const struct role *r, span_number *number,
		   void *context);
void span_list_sort(struct span_list *s, const struct trace *t);
void span_list_free(struct span_list *s);

#endif
