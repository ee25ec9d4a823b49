/* How an interval changed from one run to another. */
#ifndef GLIMPSE_TRACE_DIFF_H
#define GLIMPSE_TRACE_DIFF_H

#include "trace/cmd.h"
#include "trace/ranksum.h"

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

/* fail_above: a share, or INFINITY: the rows beyond it are marked. */
void diff_print(FILE *out, enum format format, const struct diff *diffs, size_t n,
		double fail_above);
/* Whether the interval became slower by more than that share, and not by chance. */
bool diff_fails(const struct diff *d, double fail_above);

#endif
