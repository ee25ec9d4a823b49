/* The durations of an interval's instances, counted without being kept. */
#ifndef GLIMPSE_GORGE_QUERY_SPREAD_H
#define GLIMPSE_GORGE_QUERY_SPREAD_H

#include "viewers/gorge/query/durations.h"

enum { SPREAD_BINS = 40 };

/*
 * Durations of about the same length are a class: each power of two has so many. What is asked is
 * answered by the sizes of the classes, but for a few classes that are looked at more closely.
 */
enum { CLASS_BITS = 7, OCTAVE = 1 << CLASS_BITS, CLASSES = (64 - CLASS_BITS + 1) * OCTAVE };

struct spread {
	struct model *model;
	const struct interval *interval;
	const struct durations_of *of;
	uint64_t n;
	unsigned __int128 total;
	int64_t shortest, longest;      /* n == 0: INT64_MAX, INT64_MIN */
	uint64_t classes[CLASSES];
};

/* To be freed. */
struct spread *spread_new(struct model *m, const struct interval *interval, const struct durations_of *of);

/* Of some durations: how many begin in [edges[i], edges[i + 1]). */
struct spread_bins {
	int64_t edges[SPREAD_BINS + 1];
	uint64_t counts[SPREAD_BINS];
};

/*
 * The q-quantiles of durations, of which there are some; how many are picked; and unless it is NULL,
 * the counts of the bins, which have all of them.
 */
enum { QUANTILES = 2 };
void spread_look(const struct spread *s, const double *q, int64_t *quantiles, uint64_t *picked,
		 struct spread_bins *bins);

#endif
