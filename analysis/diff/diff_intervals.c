#include "analysis/diff/diff.h"
#include "analysis/diff/diff_rows.h"
#include "base/sort.h"
#include "match/stats/series.h"

enum { DURATIONS, MEDIAN, END, UNMATCHED_ONES };

static double nanoseconds_of(struct value v)
{
	return v.kind == VALUE_REAL ? v.real : (double)v.integer;
}

/* A quantile as if each instance lasted so long: the mean of the sample is the quantile. */
static struct sample quantile_sample(struct series *s, double q)
{
	struct sample sample = {.n = s->n};

	if (s->n)
		sample.sum = nanoseconds_of(series_quantile(s, q)) * (double)s->n;
	return sample;
}

/*
 * Functions, locks and the like have tables of their own, and threads have states. What viewers do
 * not show at first comes after the rest here, too.
 */
static bool has_table(const struct interval *interval)
{
	return interval->kind != KIND_NONE && interval->kind != KIND_WORK &&
	       interval->kind != KIND_PHASE;
}

static void interval_take(struct diff_row *row, unsigned run, struct trace *t,
			  const struct interval *interval)
{
	struct matches *m = match_interval(t, interval);
	struct series s = series_of_durations(m);
	struct sample *samples = row->runs[run];

	row->sums |= has_table(interval) || interval->style.shown == SHOWN_NO;
	samples[UNMATCHED_ONES].n = m->count - m->matched;
	matches_free(m);
	for (size_t i = 0; i < s.n; i++)
		sample_add(&samples[DURATIONS], (double)s.words[i]);
	samples[MEDIAN] = quantile_sample(&s, 0.5);
	samples[END] = quantile_sample(&s, 0.99);
	series_clear(&s);
}

void diff_intervals(struct diff_changes *c, struct diff_runs runs,
		    const struct interval **const *intervals)
{
	static const struct diff_measure measures[] = {
	    {"count", DIFF_COUNT, ASPECT_COUNT, DURATIONS},
	    {"mean", DIFF_TIME, ASPECT_MEAN, DURATIONS},
	    {"p50", DIFF_TIME, ASPECT_MEAN, MEDIAN},
	    {"p99", DIFF_TIME, ASPECT_MEAN, END},
	    {"total", DIFF_TIME, ASPECT_TOTAL, DURATIONS},
	    {"unmatched", DIFF_COUNT, ASPECT_COUNT, UNMATCHED_ONES},
	};
	struct diff_rows rows = {.nruns = runs.n};

	for (unsigned run = 0; run < runs.n; run++)
		for (const struct interval **i = intervals[run]; *i; i++)
			interval_take(diff_row_find(&rows, (*i)->name), run, runs.at[run], *i);
	diff_rows_compare(&rows, c, DIFF_INTERVALS, measures, sizeof measures / sizeof *measures);
}
