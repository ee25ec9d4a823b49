/* Spans of threads, by thread, in the order of their starts. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_SPAN_LIST_H
#define GLIMPSE_ANALYSIS_REPLAY_SPAN_LIST_H

#include "base/array.h"
#include <stdint.h>

struct listed_span {
	int64_t start, end;
	uint32_t thread; /* index in the trace's threads */
	uint32_t number; /* of the caller's */
};

struct span_list {
	VECTOR(struct listed_span) all;
	size_t *first; /* of each thread, and one more, after span_list_sort() */
};

void span_list_sort(struct span_list *s, uint32_t nthreads);
void span_list_free(struct span_list *s);

#endif
