/* Computes what chance makes of numbers: sums of values, means and quantiles. */
#ifndef GLIMPSE_MATCH_STATS_SIGNIFICANCE_H
#define GLIMPSE_MATCH_STATS_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Running count, sum and sum of squares. */
struct sample {
	uint64_t n;
	double sum;
};

static inline void sample_add(struct sample *s, double value)
{
	s->n++;
	s->sum += value;
}

static inline void sample_join(struct sample *s, uint64_t n, double sum)
{
	s->n += n;
	s->sum += sum;
}

/*
 * Sets the 95 % interval of the mean of b minus the mean of a, by Welch's t, with the normal
 * approximation of Student's t by Wallace (1959). Returns false with fewer than two values of
 * either.
 */
bool mean_change(const double *a, size_t na, const double *b, size_t nb, double *low, double *high);

/*
 * Returns the probability that two sets of one distribution differ in a quantile (0 < q < 1) by
 * that much or more, either way; NaN if one is empty. The lists are ascending. The test counts the
 * values of each that are beyond the quantile of both (Mood's median test, for any quantile; ties
 * count half).
 */
double quantile_test(const int64_t *a, size_t na, const int64_t *b, size_t nb, double q);

#endif
