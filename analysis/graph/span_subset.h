/*
 * Represents a part of the threads' time: where a function runs, a lock is held, an interval is
 * open. It has spans of each thread, which do not overlap.
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_SPAN_SUBSET_H
#define GLIMPSE_ANALYSIS_GRAPH_SPAN_SUBSET_H

#include "base/array.h"
#include <stdint.h>

struct subset_span {
	int64_t from, to;
	int64_t before; /* the lengths of the thread's spans before it */
};

struct span_subset {
	uint32_t nthreads;
	VECTOR(struct subset_span) spans; /* by thread, in the order of time */
	size_t *first; /* of each thread, and one more; after span_subset_close() */
};

/* Returns an empty part, to which spans are added thread by thread in the order of their starts. */
struct span_subset *span_subset_new(uint32_t nthreads);
/* Adds a span; what of it is in the part already counts once. */
void span_subset_add(struct span_subset *p, uint32_t thread, int64_t from, int64_t to);
/* Ends the adding. */
void span_subset_close(struct span_subset *p);
/* Returns how much of a thread's time before a moment is in the part. */
int64_t span_subset_until(const struct span_subset *p, uint32_t thread, int64_t time);
void span_subset_free(struct span_subset *p);

#endif
