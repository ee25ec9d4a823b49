/*
 * What a question lets through of an interval's instances, found on all processors from what is
 * known of them already. Where durations decide, blocks of instances are passed over by their
 * extremes; only what is left is tested, and the logs are read where the condition asks for what
 * they have.
 */
#ifndef GLIMPSE_GORGE_QUERY_FILTER_H
#define GLIMPSE_GORGE_QUERY_FILTER_H

#include "viewers/gorge/index/event_set.h"
#include "viewers/gorge/index/instances.h"
#include "viewers/gorge/query/hits.h"

struct filter {
	const struct expr *condition;   /* NULL: there is none, and durations decide */
	bool broken;                    /* lets through those for which it does not hold */
	int64_t least, most;            /* for other durations the condition does not hold */
	bool exact;                     /* and for all of these it does */
	bool records, times;            /* the condition asks for attributes; for moments */
};

/* A condition of the interval; all instances of some durations. */
struct filter filter_condition(const struct expr *condition, bool broken);
struct filter filter_durations(int64_t least, int64_t most);

/*
 * Adds those that pass to the hits and to the anchors; either may be NULL. What breaks a condition
 * is listed by how much it does.
 */
void filter_run(const struct filter *s, const struct instances *n, struct results *results,
	       struct event_set *anchors);

#endif
