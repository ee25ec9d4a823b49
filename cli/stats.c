#include "base/array.h"
#include "cli/intervals.h"
#include "cli/stats_print.h"
#include <stdlib.h>

static bool with_metrics, with_depth;

static void take_metric(const char *unused)
{
	(void)unused;
	with_metrics = true;
}

static void take_depth(const char *unused)
{
	(void)unused;
	with_depth = true;
}

static struct series *series_keep(struct series s)
{
	struct series *kept = array_new(1, sizeof *kept);

	*kept = s;
	return kept;
}

static struct stats_row row_of(const struct interval *interval, struct series series)
{
	return (struct stats_row){
	    .interval = interval, .unit = UNIT_TIME, .series = series_keep(series)};
}

/* The longest of an interval's instances. */
static int64_t row_reach(const struct stats_row *row)
{
	return row->series->n ? (int64_t)series_quantile(row->series, 1).integer : 0;
}

/* False: more must be known of the instances. */
static bool row_tally(struct trace *t, const struct interval *interval, struct stats_row *row)
{
	struct tally tally;

	if (with_depth || (with_metrics && interval->nmetrics) ||
	    !tally_interval(t, interval, &tally))
		return false;
	*row = row_of(interval, (struct series){.n = tally.matched, .words = tally.words});
	account_tally(t, &tally, row_reach(row), &row->account);
	account_clear(&row->account);
	return true;
}

/* An interval's row and, if wanted, one for each of its metrics; how many. */
static size_t rows_fill(struct request *r, struct trace *t, const struct interval *interval,
			struct stats_row *rows)
{
	struct matches *m;
	size_t n = 1;

	if (row_tally(t, interval, rows))
		return 1;
	m = match_interval(t, interval);
	matches_warn(m, &r->diag);
	rows[0] = row_of(interval, series_of_durations(m));
	account_within(t, m, row_reach(rows), &rows[0].account);
	account_clear(&rows[0].account);
	if (with_depth)
		depth_of(t, m, &rows[0].depth);
	for (unsigned i = 0; with_metrics && i < interval->nmetrics; i++) {
		const struct metric *metric = &interval->metrics[i];

		rows[n++] = (struct stats_row){.interval = interval,
					       .metric = metric,
					       .unit = metric->value->unit,
					       .series = series_keep(series_of_metric(m, metric))};
	}
	matches_free(m);
	return n;
}

static size_t rows_wanted(const struct interval **intervals)
{
	size_t n = 0;

	for (; *intervals; intervals++)
		n += 1 + (*intervals)->nmetrics;
	return n;
}

static int run(struct request *r)
{
	struct trace *t = request_open(r);
	const struct interval **intervals = t ? chosen_intervals(t, &r->diag) : NULL;
	struct stats_row *rows;
	size_t n = 0;

	if (!intervals) {
		trace_close(t);
		return EXIT_ERROR;
	}
	rows = array_zero(rows_wanted(intervals), sizeof *rows);
	for (size_t i = 0; intervals[i]; i++)
		n += rows_fill(r, t, intervals[i], rows + n);
	stats_print(r->out, r->format, rows, n, with_depth);
	for (size_t i = 0; i < n; i++) {
		series_clear(rows[i].series);
		free(rows[i].series);
	}
	free(rows);
	free(intervals);
	trace_close(t);
	return EXIT_FINE;
}

static const struct choice options[] = {
    CHOSEN_OPTION,
    MEMORY_OPTION,
    {'m', "metric", NULL, "also a row for each metric", take_metric},
    {'d', "depth", NULL,
     "how many instances are open at once: most, mean, and a check by Little's law", take_depth},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_stats = {
    .name = "stats",
    .summary = "one row for each interval: counts, durations and their quantiles",
    .teaches =
	"Prints how many instances each interval has, how many of its anchors have no partner,\n"
	"and the durations: exact, not sampled, with quantiles by the nearest rank. Then it says\n"
	"what became of every anchor and of every event of the partner's type.\n",
    .examples = "  glimpse stats run1\n"
		"  glimpse stats run1 --interval Transit --metric --depth\n"
		"  glimpse stats run1 --format=csv | cut -d, -f1,9\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = run,
};
