#include "match/stats/diff.h"
#include "match/stats/series.h"
#include <math.h>

double diff_change(const struct diff *d, enum measure m)
{
	double a = d->values[m][0], b = d->values[m][1];

	if (a == b)
		return 0;
	return a == 0 ? NAN : (b - a) / a;
}

bool diff_is_noise(const struct diff *d)
{
	return d->test.p >= DIFF_NOISE;
}

bool diff_fails(const struct diff *d, double fail_above)
{
	if (diff_is_noise(d))
		return false;
	for (enum measure m = MEASURE_MEAN; m <= MEASURE_P99; m++)
		if (diff_change(d, m) > fail_above)
			return true;
	return false;
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

static struct series durations(struct trace *t, const struct interval *interval)
{
	struct matches *m = match_interval(t, interval);
	struct series s = series_of_durations(m);

	matches_free(m);
	return s;
}

struct diff diff_of(struct trace *a, struct trace *b, const struct interval *in_a,
		    const struct interval *in_b)
{
	struct series sa = durations(a, in_a), sb = durations(b, in_b);
	struct diff d = {.interval = in_a};

	measure(&d, 0, &sa);
	measure(&d, 1, &sb);
	d.test = ranksum_test(sa.words, sa.n, sb.words, sb.n);
	series_clear(&sa);
	series_clear(&sb);
	return d;
}
