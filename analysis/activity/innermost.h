/*
 * Finds the innermost of a thread's spans at each time: the one that began last and has not ended.
 *
 *	spans      [---A-----------]
 *	               [--B--]
 *	innermost  A   B     A      none
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_INNERMOST_H
#define GLIMPSE_ANALYSIS_ACTIVITY_INNERMOST_H

#include "analysis/activity/instance_set.h"

enum { NO_SPAN = UINT32_MAX };

/* The class of the innermost span, up to the next one. */
struct innermost_span {
	int64_t from;
	uint32_t class; /* NO_SPAN */
};

typedef VECTOR(struct innermost_span) innermost_vector;

/* Returns a list that begins at INT64_MIN; the caller frees it. spans: by their starts. */
innermost_vector innermost_spans(const span_vector *spans);

#endif
