/* The durations of an interval's instances, counted without being kept. */
#ifndef GLIMPSE_GORGE_QUERY_SPREAD_H
#define GLIMPSE_GORGE_QUERY_SPREAD_H

#include "viewers/gorge/query/durations.h"

enum { DISTRIBUTION_BINS = 40 };

/*
 * Durations of about the same length are a class: each power of two has so many. What is asked is
 * answered by the sizes of the classes, but for a few classes that are looked at more closely.
 */
enum { CLASS_BITS = 7, OCTAVE = 1 << CLASS_BITS, CLASSES = (64 - CLASS_BITS + 1) * OCTAVE };

struct distribution {
	struct trace_index *index;
	const struct interval *interval;
	const struct duration_query *of;
	uint64_t n;
	unsigned __int128 total;
	int64_t shortest, longest;      /* n == 0: INT64_MAX, INT64_MIN */
	uint64_t classes[CLASSES];
};

/* To be freed. */
struct distribution *distribution_new(struct trace_index *m, const struct interval *interval, const struct duration_query *of);

/* Of some durations: how many begin in [edges[i], edges[i + 1]). */
struct distribution_bins {
	int64_t edges[DISTRIBUTION_BINS + 1];
	uint64_t counts[DISTRIBUTION_BINS];
};

/*
 * The q-quantiles of durations, of which there are some; how many are picked; and unless it is NULL,
 * the counts of the bins, which have all of them.
 */
enum { QUANTILES = 2 };
void distribution_look(const struct distribution *s, const double *q, int64_t *quantiles, uint64_t *picked,
		 struct distribution_bins *bins);

#endif
