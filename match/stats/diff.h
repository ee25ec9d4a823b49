/* How an interval changed from one run to another. */
#ifndef GLIMPSE_MATCH_STATS_DIFF_H
#define GLIMPSE_MATCH_STATS_DIFF_H

#include "match/stats/ranksum.h"
#include "trace/trace.h"

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
	struct ranksum test;		 /* of the durations */
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

/* The same interval in two runs. */
struct diff diff_of(struct trace *a, struct trace *b, const struct interval *in_a,
		    const struct interval *in_b);

#endif
