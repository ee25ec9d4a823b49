/*
 * The values that a statistic is of: the durations or a metric of an interval's instances, an
 * attribute of all events of a type. Exact for integers of 63 bits and a sign; values beyond them
 * make all of them doubles.
 */
#ifndef GLIMPSE_MATCH_STATS_SERIES_H
#define GLIMPSE_MATCH_STATS_SERIES_H

#include "match/join/match.h"

struct series {
	size_t n;
	int64_t *words;         /* integers; or doubles, as words in the order of their values */
	bool real;
	size_t undefined;       /* left out: instances in which the metric faults or is NaN */
};

struct series series_of_durations(const struct matches *m);
struct series series_of_metric(const struct matches *m, const struct metric *metric);
struct series series_of_attribute(const struct moments *events, const struct event_type *type,
				  unsigned attribute);
void series_clear(struct series *s);

/*
 * The values that are put into n parts, of which each may have as many as counts says; real: they are doubles. fill is
 * called on all processors.
 */
struct series series_gathered(size_t n, const size_t *counts, bool real,
	void (*fill)(void *context, size_t part, struct series *to), void *context);
/* NULL: it is undefined. */
void series_put(struct series *s, const struct value *v);

/* Of a series that is not empty. Minimum and maximum are the quantiles 0 and 1; the order of the
 * words changes. */
struct value series_quantile(struct series *s, double q);
/* Several of them at once, which must ascend: each is looked for behind the one before. */
void series_quantiles(struct series *s, const double *q, size_t n, struct value *values);
struct value series_sum(const struct series *s);
double series_mean(const struct series *s);
/* The same when its sum is known. */
double series_mean_of(const struct series *s, const struct value *sum);

#endif
