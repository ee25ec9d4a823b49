/* How an interval changed from one run to another. */
#ifndef GLIMPSE_MATCH_STATS_DIFF_H
#define GLIMPSE_MATCH_STATS_DIFF_H

#include "match/stats/ranksum.h"
#include "trace/trace.h"

enum measure { MEASURE_COUNT, MEASURE_MEAN, MEASURE_P50, MEASURE_P99, MEASURE_TOTAL, NMEASURES };

struct diff {
	const struct interval *interval; /* of the first run; the other's has the same name */
	double values[NMEASURES][2];	 /* nanoseconds, but the count; NaN: there is no instance */
	struct ranksum test;		 /* of the durations */
};

/* The change as a share of the first: 0.05 is five percent more; NaN where there is none. */
double diff_change(const struct diff *d, enum measure m);
/* Below this the change of the durations is taken for more than noise. */
#define DIFF_NOISE 0.01
bool diff_is_noise(const struct diff *d);

/* The same interval in two runs. */
struct diff diff_of(struct trace *a, struct trace *b, const struct interval *in_a,
		    const struct interval *in_b);

/* Whether the interval became slower by more than that share, and not by chance. */
bool diff_fails(const struct diff *d, double fail_above);

#endif
