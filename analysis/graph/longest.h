/*
 * Computes how long the program would have run if a part of its threads' time had been shorter. All
 * waits stay the same, in the same order, so this is the longest path through the graph. With a
 * part of zero length this is logical zeroing (Hollingsworth and Miller, "Slack: a new performance
 * metric").
 *
 * A longest_ask takes in the part, span by span; a longest_work looks for the paths. Asks and works
 * of one graph are independent of each other: threads can use them at once.
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_LONGEST_H
#define GLIMPSE_ANALYSIS_GRAPH_LONGEST_H

#include "analysis/graph/graph.h"
#include "analysis/graph/span_subset.h"

struct path_length {
	double length; /* ns from the beginning of the trace to its end */
	double part;   /* of these, ns of the part, before it was shortened */
};

/*
 * What is kept between two questions on the same graph. It takes some 50 bytes for each wait that
 * another thread ended. The graph may be freed; asks and works are freed before it.
 */
struct longest;
struct longest *longest_new(const struct graph *g);
void longest_free(struct longest *l);

/* A part of the threads' time. It is empty at first; the caller frees it. */
struct longest_ask;
struct longest_ask *longest_ask_new(const struct longest *l);
/*
 * Adds a span to the part. Spans come by thread, in ascending order, and then by their starts. What
 * of a span is in the part already counts once.
 */
void longest_ask_add(struct longest_ask *a, uint32_t thread, int64_t from, int64_t to);
void longest_ask_free(struct longest_ask *a);
/* Returns the most bytes that an ask takes, but for spans of over 4 s. */
size_t longest_ask_bytes(const struct longest *l);

/* The values of one ask at a time. The caller frees it. */
struct longest_work;
struct longest_work *longest_work_new(const struct longest *l);
/* Takes up an ask, to which nothing is added any more. NULL: there is no part. */
void longest_work_load(struct longest_work *w, const struct longest_ask *a);
/* Adds another ask's part to the loaded one. What is in both counts twice. */
void longest_work_add(struct longest_work *w, const struct longest_ask *a);
/* Returns the longest path when the part takes `kept` of its time: 0 to 1. */
struct path_length longest_work_path(struct longest_work *w, double kept);
/*
 * Returns how much shorter the part can become, of its time on the longest path, until another path
 * is as long: its slack. All of it, if no other path is.
 */
double longest_work_slack(struct longest_work *w);
void longest_work_free(struct longest_work *w);
/* Returns the bytes that a work takes. */
size_t longest_work_bytes(const struct longest *l);

/* Does the same for a part that the caller keeps; NULL: no part. */
struct path_length longest_path(const struct longest *l, const struct span_subset *p, double kept);

#endif
