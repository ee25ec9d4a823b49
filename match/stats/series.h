/*
 * Collects the values of a statistic: the durations or a metric of an interval's instances, or an
 * attribute of all events of a type. Exact for integers of 63 bits and a sign; values beyond them
 * make all of them doubles.
 */
#ifndef GLIMPSE_MATCH_STATS_SERIES_H
#define GLIMPSE_MATCH_STATS_SERIES_H

#include "match/join/match.h"

struct series {
	size_t n;
	int64_t *words; /* integers; or doubles, as words in the order of their values */
	bool real;
	size_t undefined; /* left out: instances in which the metric faults or is NaN */
};

struct series series_of_durations(const struct matches *m);
struct series series_of_metric(const struct matches *m, const struct metric *metric);
struct series series_of_attribute(const struct moments *events, const struct event_type *type,
				  unsigned attribute);
void series_clear(struct series *s);

/*
 * Makes a series of n parts with at most counts[i] values each. real: the values are doubles.
 * fill() puts the values of a part; it is called on all processors.
 */
struct series series_gathered(size_t n, const size_t *counts, bool real,
			      void (*fill)(void *context, size_t part, struct series *to),
			      void *context);
/* Adds a value, for which there must be room. NULL: it is undefined. */
void series_put(struct series *s, const struct value *v);

/* Returns the q-quantile of a series that is not empty. The minimum and the maximum are the
 * quantiles 0 and 1. The order of the words changes. */
struct value series_quantile(struct series *s, double q);
/* Finds several quantiles, which must ascend. */
void series_quantiles(struct series *s, const double *q, size_t n, struct value *values);
struct value series_sum(const struct series *s);
double series_mean(const struct series *s);
/* Returns the mean when the sum is known. */
double series_mean_of(const struct series *s, const struct value *sum);

#endif
