#include "analysis/diff/diff.h"
#include "base/sort.h"
#include "match/stats/series.h"
#include <math.h>

/* The instances of an interval in one run. */
struct durations {
	struct series series;           /* sorted */
	struct sample sample;
	double p50, p99, unmatched;
};

static double nanoseconds_of(struct value v)
{
	return v.kind == VALUE_REAL ? v.real : (double)v.integer;
}

/* interval: NULL: the run has none of it. */
static void durations_find(struct durations *d, struct trace *t, const struct interval *interval)
{
	struct series *s = &d->series;
	struct matches *m;

	*d = (struct durations){.p50 = NAN, .p99 = NAN};
	if (!interval)
		return;
	m = match_interval(t, interval);
	*s = series_of_durations(m);
	d->unmatched = (double)(m->count - m->matched);
	matches_free(m);
	for (size_t i = 0; i < s->n; i++)
		sample_add(&d->sample, (double)s->words[i]);
	d->p50 = s->n ? nanoseconds_of(series_quantile(s, 0.5)) : NAN;
	d->p99 = s->n ? nanoseconds_of(series_quantile(s, 0.99)) : NAN;
	sort_words(s->words, s->n);
}

static double mean_of(const struct sample *s)
{
	return s->n ? s->sum / (double)s->n : NAN;
}

static void add(struct changes *c, const struct interval *interval, const char *measure,
		enum diff_unit unit, double before, double after, double p, double times)
{
	change_add(c, (struct change){
			  .table = DIFF_INTERVALS,
			  .name = text_format("%s", interval->name),
			  .measure = measure,
			  .unit = unit,
			  .before = before,
			  .after = after,
			  .p = p,
			  .weight_before = before * times,
			  .weight_after = after * times,
		      });
}

void diff_interval(struct changes *c, struct trace *a, struct trace *b, const struct interval *in_a,
		   const struct interval *in_b)
{
	const struct interval *either = in_a ? in_a : in_b;
	struct durations x, y;
	double n, middle, end;

	durations_find(&x, a, in_a);
	durations_find(&y, b, in_b);
	n = fmax((double)x.series.n, (double)y.series.n);
	middle = rank_sum_test(x.series.words, x.series.n, y.series.words, y.series.n).p;
	end = quantile_test(x.series.words, x.series.n, y.series.words, y.series.n, 0.99);
	add(c, either, "count", DIFF_COUNT, (double)x.series.n, (double)y.series.n,
	    count_test((double)x.series.n, (double)y.series.n), 1);
	add(c, either, "mean", DIFF_TIME, mean_of(&x.sample), mean_of(&y.sample),
	    mean_test(&x.sample, &y.sample), n);
	add(c, either, "p50", DIFF_TIME, x.p50, y.p50, middle, n);
	add(c, either, "p99", DIFF_TIME, x.p99, y.p99, end, n);
	add(c, either, "total", DIFF_TIME, x.sample.sum, y.sample.sum,
	    total_test(&x.sample, &y.sample), 1);
	add(c, either, "unmatched", DIFF_COUNT, x.unmatched, y.unmatched,
	    count_test(x.unmatched, y.unmatched), 1);
	series_clear(&x.series);
	series_clear(&y.series);
}
