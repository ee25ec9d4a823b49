/* Whether numbers of two runs differ by more than chance. */
#ifndef GLIMPSE_MATCH_STATS_SIGNIFICANCE_H
#define GLIMPSE_MATCH_STATS_SIGNIFICANCE_H

#include <stddef.h>
#include <stdint.h>

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

/* Values of which only the sums are kept. */
struct sample {
	uint64_t n;
	double sum, squares;
};

static inline void sample_add(struct sample *s, double value)
{
	s->n++;
	s->sum += value;
	s->squares += value * value;
}

static inline void sample_join(struct sample *s, const struct sample *other)
{
	s->n += other->n;
	s->sum += other->sum;
	s->squares += other->squares;
}

/*
 * Each of these returns the probability that two sets of one distribution differ by that much or
 * more, either way; NaN where it cannot be told.
 */

/* Of two counts of independent events (Poisson); corrected for continuity. */
double count_test(double a, double b);
/*
 * Of two means: the t-test of Welch, with the normal approximation of Student's t by Wallace (1959).
 * NaN with less than two values on a side.
 */
double mean_test(const struct sample *a, const struct sample *b);
/* Of two sums, which differ by number or by mean: both tests, p doubled (Bonferroni). */
double total_test(const struct sample *a, const struct sample *b);

/* A value as it was estimated: what chance does to it. */
struct estimate {
	double value, variance;
	double freedom;         /* degrees of it that the variance was found with; INFINITY: it is known */
};

/*
 * Returns the probability of two estimates of one value differing by that much or more (Welch). step: what the
 * difference of the values changes by at least, for the correction for continuity; 0: by anything.
 */
double estimate_test(const struct estimate *a, const struct estimate *b, double step);
/* Returns half of the width of the 95 % interval of their difference. */
double estimate_half_width(const struct estimate *a, const struct estimate *b);

/*
 * Of a quantile (0 < q < 1) of two ascending lists: how many of each are beyond that of both
 * together (Mood's median test, for any quantile; ties count half).
 */
double quantile_test(const int64_t *a, size_t na, const int64_t *b, size_t nb, double q);

#endif
