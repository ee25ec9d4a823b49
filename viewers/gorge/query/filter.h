/*
 * Filters an interval's instances by a condition, on all processors. Where durations decide, blocks
 * of spans are passed over by their extremes; only what is left is tested, and logs are read only
 * where the condition asks for attributes.
 */
#ifndef GLIMPSE_GORGE_QUERY_FILTER_H
#define GLIMPSE_GORGE_QUERY_FILTER_H

#include "viewers/gorge/index/event_set.h"
#include "viewers/gorge/index/trace_index.h"

/* ---- results ---- */

/* The most results that are listed; all are counted. */
enum { RESULTS_LISTED = 500 };

struct result {
	event_id anchor;
	int64_t time; /* of the anchor */
	int64_t start, end;
	double excess; /* results with more come first; then those with earlier anchors */
};

struct results {
	uint64_t count;
	VECTOR(struct result) list;
};

/* Sorts the list, and cuts it to what is listed. */
void results_sort(struct results *r);
void results_clear(struct results *r);

/* ---- filters ---- */

struct filter {
	const struct expr *condition; /* NULL: durations decide */
	bool broken;                  /* passes instances for which the condition is false */
	int64_t least, most;          /* for other durations, the condition is false */
	bool exact;                   /* and for all of these it is true */
	bool records, times;          /* the condition asks for attributes; for event times */
};

/* Returns a filter by a condition of the interval; by durations. */
struct filter filter_condition(const struct expr *condition, bool broken);
struct filter filter_durations(int64_t least, int64_t most);

/*
 * Adds the instances that pass to the results and the anchors to the set; either may be NULL.
 * Instances that break a condition are listed by how much they do.
 */
void filter_run(const struct filter *f, const struct instances *n, struct results *results,
		struct event_set *anchors);

#endif
