/* How an interval changed from one run to another. */
#ifndef GLIMPSE_MATCH_STATS_DIFF_H
#define GLIMPSE_MATCH_STATS_DIFF_H

#include "trace/trace.h"

/* Whether two sets of values differ by more than chance: the rank-sum test of Mann and Whitney. */
struct rank_sum {
	/* The chance that equal distributions give ranks this far apart, both ways; 1 if one is
	 * empty. */
	double p;
	/* How often a value of b is greater than one of a, ties counting half: 0.5 where neither
	 * is. */
	double greater;
};

/* Tests two ascending lists by the normal approximation, corrected for ties and continuity. */
struct rank_sum rank_sum_test(const int64_t *a, size_t na, const int64_t *b, size_t nb);

enum measure {
	MEASURE_COUNT,
	MEASURE_MEAN,
	MEASURE_P50,
	MEASURE_P99,
	MEASURE_TOTAL,
	MEASURE_UNMATCHED, /* anchors without a partner */
	NMEASURES
};

struct diff {
	const struct interval *interval; /* of the first run; the other's has the same name */
	double values[NMEASURES][2];	 /* nanoseconds, or a count; NaN: there is no instance */
	double p[NMEASURES];		 /* the probability of such a change by chance */
	struct rank_sum test;		 /* of the durations */
};

/*
 * Returns the change as a share of the first value: 0.05 is five percent more. It is NaN when the
 * first value is 0 and the second is not, or when there is no value.
 */
double diff_change(const struct diff *d, enum measure m);
/* A change that is less probable than this is more than noise. */
#define DIFF_NOISE 0.01
bool diff_is_noise(const struct diff *d, enum measure m);
/* Returns whether m grew by more than the share `limit`, and not by chance. Growth from 0 does. */
bool diff_exceeds(const struct diff *d, enum measure m, double limit);

/* Compares an interval of one run with that of the same name in another. */
struct diff diff_of(struct trace *a, struct trace *b, const struct interval *in_a,
		    const struct interval *in_b);

#endif
