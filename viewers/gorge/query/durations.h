/* How long the instances of intervals took: exact statistics of a window, and a histogram. */
#ifndef GLIMPSE_GORGE_QUERY_DURATIONS_H
#define GLIMPSE_GORGE_QUERY_DURATIONS_H

#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/view.h"

/* What is looked at: instances that touch the window and have an end in one of the threads. */
struct duration_query {
	const struct window *window;
	const bool *threads;    /* by index; NULL: all */
	int64_t least, most;    /* of these, those that take so long are picked; least > most: none */
};

/*
 * Each writes members of the open object. count, total, mean, p50, p99, shortest and longest; but for
 * count only when there are any.
 */
void distribution_write_numbers(struct trace_index *m, const struct interval *interval,
			     const struct duration_query *of, struct json *j);
/* The same, how many are picked, and bins: [from, to) in nanoseconds, and the count of each. */
void distribution_write(struct trace_index *m, const struct interval *interval,
		     const struct duration_query *of, struct json *j);

/* A statistic of the durations of all instances. False: it has no value. */
bool distribution_aggregate(struct trace_index *m, const struct aggregate *wanted, struct value *result);

#endif
