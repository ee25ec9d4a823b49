/* One thread's stretches, from its waits and its states. */
#ifndef GLIMPSE_ANALYSIS_GRAPH_TIMELINE_H
#define GLIMPSE_ANALYSIS_GRAPH_TIMELINE_H

#include "analysis/activity/instance_set.h"
#include "analysis/graph/graph.h"

/* What there is of a thread; spans in the order of their starts. */
struct timeline_input {
	const struct instance_set *set;
	const span_vector *waits;
	const span_vector *states;      /* they do not overlap */
};

/* Makes the stretches from l->begin to l->end; of waits that overlap the one that began last counts. */
void timeline_make(struct timeline *l, const struct timeline_input *in);

#endif
