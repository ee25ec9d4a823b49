/* One thread's stretches, from its waits and its states. */
#ifndef GLIMPSE_ANALYSIS_GRAPH_TIMELINE_H
#define GLIMPSE_ANALYSIS_GRAPH_TIMELINE_H

#include "analysis/graph/graph.h"
#include "analysis/graph/span_list.h"

/* What there is of a thread; spans in the order of their starts. */
struct timeline_input {
	const struct listed_span *waits;     /* number: in roles */
	size_t nwaits;
	const struct listed_span *states;    /* number: an enum thread_state; they do not overlap */
	size_t nstates;
	const struct role *roles;
};

/* Makes the stretches from l->begin to l->end; of waits that overlap the one that began last counts. */
void timeline_make(struct timeline *l, const struct timeline_input *in);

#endif
