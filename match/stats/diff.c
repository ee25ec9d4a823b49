#include "match/stats/diff.h"
#include "base/sort.h"
#include "match/stats/series.h"
#include <math.h>

/* ---- the rank-sum test ---- */

/* Returns how many values from start on are equal. */
static size_t count_equal(const int64_t *values, size_t n, size_t start)
{
	size_t end = start;

	while (end < n && values[end] == values[start])
		end++;
	return end - start;
}

struct ranks {
	double sum;  /* of b's ranks in both sets together, ties having their mean */
	double ties; /* sum of t^3 - t over the groups of t equal values */
};

static struct ranks rank_both(const int64_t *a, size_t na, const int64_t *b, size_t nb)
{
	struct ranks r = {0, 0};
	size_t i = 0, j = 0;

	while (i < na || j < nb) {
		bool from_a = j == nb || (i < na && a[i] <= b[j]);
		bool from_b = i == na || (j < nb && b[j] <= a[i]);
		size_t in_a = from_a ? count_equal(a, na, i) : 0;
		size_t in_b = from_b ? count_equal(b, nb, j) : 0;
		double equal = (double)(in_a + in_b);

		r.sum += (double)in_b * ((double)(i + j) + (equal + 1) / 2);
		r.ties += equal * equal * equal - equal;
		i += in_a;
		j += in_b;
	}
	return r;
}

struct rank_sum rank_sum_test(const int64_t *a, size_t na, const int64_t *b, size_t nb)
{
	double pairs = (double)na * (double)nb, n = (double)na + (double)nb;
	struct ranks r;
	double u, deviation, z;

	if (na == 0 || nb == 0)
		return (struct rank_sum){.p = 1, .greater = 0.5};
	r = rank_both(a, na, b, nb);
	u = r.sum - (double)nb * ((double)nb + 1) / 2;
	deviation = sqrt(pairs / 12 * (n + 1 - r.ties / (n * fmax(n - 1, 1))));
	z = deviation > 0 ? fmax(fabs(u - pairs / 2) - 0.5, 0) / deviation : 0;
	return (struct rank_sum){.p = erfc(z / sqrt(2)), .greater = u / pairs};
}

/* ---- changes ---- */

double diff_change(const struct diff *d, enum measure m)
{
	double a = d->values[m][0], b = d->values[m][1];

	if (a == b)
		return 0;
	return a == 0 ? NAN : (b - a) / a;
}

bool diff_is_noise(const struct diff *d, enum measure m)
{
	return d->p[m] >= DIFF_NOISE;
}

bool diff_exceeds(const struct diff *d, enum measure m, double limit)
{
	double a = d->values[m][0], b = d->values[m][1];

	if (diff_is_noise(d, m))
		return false;
	return a == 0 && b > 0 ? limit < INFINITY : diff_change(d, m) > limit;
}

static double nanoseconds_of(struct value v)
{
	return v.kind == VALUE_REAL ? v.real : (double)v.integer;
}

/* Measures the durations of one run, and sorts them. */
static void durations_measure(struct diff *d, int run, struct series *s)
{
	d->values[MEASURE_COUNT][run] = (double)s->n;
	d->values[MEASURE_TOTAL][run] = s->n ? nanoseconds_of(series_sum(s)) : 0;
	d->values[MEASURE_MEAN][run] = s->n ? series_mean(s) : NAN;
	d->values[MEASURE_P50][run] = s->n ? nanoseconds_of(series_quantile(s, 0.5)) : NAN;
	d->values[MEASURE_P99][run] = s->n ? nanoseconds_of(series_quantile(s, 0.99)) : NAN;
	sort_words(s->words, s->n);
}

static struct series durations_find(struct trace *t, const struct interval *interval,
				    double *unmatched)
{
	struct matches *m = match_interval(t, interval);
	struct series s = series_of_durations(m);

	*unmatched = (double)(m->count - m->matched);
	matches_free(m);
	return s;
}

/*
 * Returns the probability that two counts of one expectation differ by that much or more. Counts
 * vary as those of independent events do (Poisson); corrected for continuity.
 */
static double count_test(const double counts[2])
{
	double sum = counts[0] + counts[1], apart = fabs(counts[0] - counts[1]);

	return sum > 0 ? erfc(fmax(apart - 1, 0) / sqrt(2 * sum)) : 1;
}

/* Fills in p. A total is tested twice, by its count and by its durations: p is doubled
 * (Bonferroni). */
static void diff_test(struct diff *d)
{
	for (enum measure m = 0; m < NMEASURES; m++)
		d->p[m] = d->test.p;
	d->p[MEASURE_COUNT] = count_test(d->values[MEASURE_COUNT]);
	d->p[MEASURE_UNMATCHED] = count_test(d->values[MEASURE_UNMATCHED]);
	d->p[MEASURE_TOTAL] = fmin(1, 2 * fmin(d->p[MEASURE_COUNT], d->test.p));
}

struct diff diff_of(struct trace *a, struct trace *b, const struct interval *in_a,
		    const struct interval *in_b)
{
	struct diff d = {.interval = in_a};
	struct series sa = durations_find(a, in_a, &d.values[MEASURE_UNMATCHED][0]);
	struct series sb = durations_find(b, in_b, &d.values[MEASURE_UNMATCHED][1]);

	durations_measure(&d, 0, &sa);
	durations_measure(&d, 1, &sb);
	d.test = rank_sum_test(sa.words, sa.n, sb.words, sb.n);
	diff_test(&d);
	series_clear(&sa);
	series_clear(&sb);
	return d;
}
