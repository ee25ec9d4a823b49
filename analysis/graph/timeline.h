/* Builds one thread's stretches, from its waits and its states. */
#ifndef GLIMPSE_ANALYSIS_GRAPH_TIMELINE_H
#define GLIMPSE_ANALYSIS_GRAPH_TIMELINE_H

#include "analysis/activity/instance_set.h"
#include "analysis/graph/graph.h"

/* What there is of a thread; spans in the order of their starts. */
struct timeline_input {
	const struct instance_set *set;
	const span_vector *waits;
	const span_vector *states; /* they do not overlap */
	int64_t states_end;        /* from then on none is known; INT64_MAX: that does not come */
};

/*
 * Makes the stretches from l->begin to l->end; of waits that overlap the one that began last
 * counts. A wait of kind "io", or with an `until` style, counts only where the thread is blocked,
 * if its states are known: a long read that copies much, or loses its processor, is no wait.
 */
void timeline_make(struct timeline *l, const struct timeline_input *in);

/*
 * How much of a thread's time was in stretches of some kind, up to the beginning of each, and to
 * its end; ns.
 */
struct timeline_sums {
	const struct timeline *line;
	int64_t *until;
};

/* counts: whether a stretch is of that kind. The timeline is needed as long as the sums. */
struct timeline_sums timeline_sums_of(const struct timeline *l,
				      bool (*counts)(const struct stretch *s));
/* Returns how much of the time between two times it was. */
int64_t timeline_sums_between(const struct timeline_sums *s, int64_t from, int64_t to);
void timeline_sums_free(struct timeline_sums *s);

/*
 * Returns the class of the wait of kind "wait" that a stretch is; NO_CLASS: it is none. The set has
 * SPANS_WAIT.
 */
#define NO_CLASS UINT32_MAX
uint32_t stretch_wait_class(const struct graph *g, const struct instance_set *set, uint32_t thread,
			    size_t stretch);

#endif
