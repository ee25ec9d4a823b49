/* Sums the inclusive costs of functions. */
#ifndef GLIMPSE_ANALYSIS_CALLS_CALL_TOTALS_H
#define GLIMPSE_ANALYSIS_CALLS_CALL_TOTALS_H

#include "analysis/calls/calls.h"

struct call_total {
	int64_t cpu;      /* ns */
	uint64_t samples; /* in which the function was on the stack */
};

/*
 * Returns the totals by function; the caller frees them. Of a recursion the outermost call counts.
 * Of paths that are not kept apart (see call_tree.h) a function has its own time alone.
 */
struct call_total *call_totals(const struct calls *c);

#endif
