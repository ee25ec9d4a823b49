#include "match/stats/diff.h"
#include "base/sort.h"
#include "match/stats/series.h"
#include <math.h>

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

static double nanoseconds(struct value v)
{
	return v.kind == VALUE_REAL ? v.real : (double)v.integer;
}

/* Sorts the words, which are durations: never negative, always integers. */
static void measure(struct diff *d, int run, struct series *s)
{
	d->values[MEASURE_COUNT][run] = (double)s->n;
	d->values[MEASURE_TOTAL][run] = s->n ? nanoseconds(series_sum(s)) : 0;
	d->values[MEASURE_MEAN][run] = s->n ? series_mean(s) : NAN;
	d->values[MEASURE_P50][run] = s->n ? nanoseconds(series_quantile(s, 0.5)) : NAN;
	d->values[MEASURE_P99][run] = s->n ? nanoseconds(series_quantile(s, 0.99)) : NAN;
	sort_words(s->words, s->n);
}

static struct series durations(struct trace *t, const struct interval *interval, double *unmatched)
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

/* Fills in p. A total is tested twice, by its count and by its durations: p is doubled (Bonferroni). */
static void test(struct diff *d)
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
	struct series sa = durations(a, in_a, &d.values[MEASURE_UNMATCHED][0]);
	struct series sb = durations(b, in_b, &d.values[MEASURE_UNMATCHED][1]);

	measure(&d, 0, &sa);
	measure(&d, 1, &sb);
	d.test = ranksum_test(sa.words, sa.n, sb.words, sb.n);
	test(&d);
	series_clear(&sa);
	series_clear(&sb);
	return d;
}
