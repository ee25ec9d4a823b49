/*
 * Computes the distribution of the durations of an interval's instances: exact statistics of a
 * window, and a histogram. Durations are counted without being kept.
 */
#ifndef GLIMPSE_GORGE_QUERY_DISTRIBUTION_H
#define GLIMPSE_GORGE_QUERY_DISTRIBUTION_H

#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/view.h"

/*
 * A question about the instances that touch the window and begin or end in one of the threads.
 */
struct duration_query {
	const struct window *window;
	const bool *threads; /* by index; NULL: all */
	bool cut;            /* instances count with the time that they have in the window */
	int64_t least, most; /* durations that are selected; least > most: none */
};

/*
 * Each writes members of the open object: count, and if there are any, total, mean, p50, p99,
 * shortest and longest. The second one adds how many are selected, and the bins: [from, to) in
 * nanoseconds, and the count of each.
 */
void distribution_write_numbers(struct trace_index *t, const struct interval *interval,
				const struct duration_query *query, struct json *j);
void distribution_write(struct trace_index *t, const struct interval *interval,
			const struct duration_query *query, struct json *j);

/* Computes a statistic of all durations of an interval. Returns false if it has no value. */
bool distribution_aggregate(struct trace_index *t, const struct aggregate *wanted,
			    struct value *result);

/* ---- lengths ---- */

/* Lengths of some instances in nanoseconds: lower 32 bits, and upper ones, if any has more. */
struct instance_lengths {
	size_t n;
	const uint32_t *low, *high;
};

static inline int64_t length_at(const struct instance_lengths *l, size_t i)
{
	return (int64_t)((l->high ? (uint64_t)l->high[i] << 32 : 0) | l->low[i]);
}

typedef void (*lengths_take)(void *context, const struct instance_lengths *l, unsigned worker);
/* Calls take, on all processors and in no order, for the lengths of instances as in a query. */
void distribution_lengths(const struct trace_index *t, const struct interval *interval,
			  const struct duration_query *query, lengths_take take, void *context);

/* ---- counts ---- */

enum { DISTRIBUTION_BINS = 40 };

/*
 * Durations of about the same length are a class; each power of two has OCTAVE of them. The sizes
 * of the classes answer what is asked, but for a few classes that are looked at more closely.
 */
enum { CLASS_BITS = 7, OCTAVE = 1 << CLASS_BITS, CLASSES = (64 - CLASS_BITS + 1) * OCTAVE };

struct duration_histogram {
	struct trace_index *index;
	const struct interval *interval;
	const struct duration_query *query;
	uint64_t n;
	unsigned __int128 total;
	int64_t shortest, longest; /* n == 0: INT64_MAX, INT64_MIN */
	uint64_t classes[CLASSES];
};

/* Counts the durations; to be freed. */
struct duration_histogram *distribution_new(struct trace_index *t, const struct interval *interval,
					    const struct duration_query *query);

/* How many durations are in [edges[i], edges[i + 1]). */
struct distribution_bins {
	int64_t edges[DISTRIBUTION_BINS + 1];
	uint64_t counts[DISTRIBUTION_BINS];
};

/*
 * Gives the q-quantiles of a distribution that is not empty, how many durations are selected, and
 * the counts of bins which have all durations, unless bins is NULL.
 */
enum { QUANTILES = 2 };
void distribution_look(const struct duration_histogram *d, const double *q, int64_t *quantiles,
		       uint64_t *selected, struct distribution_bins *bins);

#endif
