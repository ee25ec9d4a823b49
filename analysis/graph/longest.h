/*
 * How long the program would have been if a part of its threads' time had been shorter, and all
 * else had waited for the same things in the same order: the longest path through the graph. The
 * part at nothing is logical zeroing (Hollingsworth and Miller, "Slack: a new performance metric").
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_LONGEST_H
#define GLIMPSE_ANALYSIS_GRAPH_LONGEST_H

#include "analysis/graph/graph.h"
#include "analysis/graph/part.h"

struct path_length {
	double length;          /* ns from the beginning of the trace to its end */
	double part;            /* of these, the time of the part on that path, before it was shortened */
};

/* What is kept between two questions on the same graph. */
struct longest;
struct longest *longest_new(const struct graph *g);
void longest_free(struct longest *l);

/* Returns the longest path when the part takes `kept` of its time: 0 to 1. NULL: there is no part. */
struct path_length longest_path(struct longest *l, const struct part *p, double kept);
/*
 * Returns how much shorter the part can become, of its time on the longest path, until another path
 * is as long: its slack. All of it, if no other path is.
 */
double longest_slack(struct longest *l, const struct part *p);

#endif
