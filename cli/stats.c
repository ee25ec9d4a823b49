#include "base/array.h"
#include "base/json.h"
#include "cli/common/command.h"
#include "cli/common/intervals.h"
#include "cli/common/lost.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/stats_by.h"
#include "cli/stats_values.h"
#include "match/stats/account.h"
#include "match/stats/crossing.h"
#include "match/stats/depth.h"
#include "match/stats/series.h"
#include <stdlib.h>
#include <string.h>

/* One row: the durations of an interval, or one of its metrics. */
struct stats_row {
	const struct interval *interval;
	const struct metric *metric; /* NULL: durations */
	enum unit unit;
	struct series *series;
	struct account account;
	struct depth depth;
	bool lossy; /* the trace lacks events: how many of these is not known */
};

enum { NVALUES = STATS_VALUES, NAME = 200, CELL = 64 };

static const char *row_name(char name[NAME], const struct stats_row *row)
{
	snprintf(name, NAME, "%s%s%s", row->interval->name, row->metric ? "." : "",
		 row->metric ? row->metric->name : "");
	return name;
}

/*
 * Whether the number of those that a loss left without a partner is that of all: of a lossy trace 0
 * says nothing.
 */
static bool row_lost_known(const struct stats_row *row)
{
	return !row->lossy || row->account.anchors[FATE_LOST];
}

static size_t row_unmatched(const struct stats_row *row)
{
	size_t n = 0;

	for (enum fate fate = FATE_NONE; fate < NFATES; fate++)
		n += row->account.anchors[fate];
	return n;
}

/* ---- text ---- */

static void row_text(struct columns *columns, const struct stats_row *row)
{
	char cells[3 + NVALUES][CELL], name[NAME];
	const char *texts[3 + NVALUES];
	struct value values[NVALUES];

	texts[0] = row_name(name, row);
	texts[1] = units_count(cells[1], row->series->n);
	texts[2] = row->metric ? "-" : units_count(cells[2], row_unmatched(row));
	if (row->series->n)
		stats_values(row->series, values);
	for (int i = 0; i < NVALUES; i++)
		texts[3 + i] =
		    row->series->n ? value_text(cells[3 + i], &values[i], row->unit) : "-";
	columns_add(columns, texts);
}

static void stats_text_statistics(FILE *out, const struct stats_row *rows, size_t n)
{
	struct columns columns = {.count = 3 + NVALUES, .left = 1};
	const char *head[3 + NVALUES] = {"interval", "count", "unmatched"};

	memcpy(head + 3, stats_value_names, sizeof stats_value_names);
	columns_add(&columns, head);
	for (size_t i = 0; i < n; i++)
		row_text(&columns, &rows[i]);
	columns_print(&columns, out);
}

/* Whether a condition selects which events are anchors. */
static bool some_not_asked(const struct stats_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].account.not_asked)
			return true;
	return false;
}

static void stats_text_accounts(FILE *out, const struct stats_row *rows, size_t n)
{
	static const char *const head[] = {
	    "anchors",      "matched",  "no partner", "cut off",       "lost",
	    "switched off", "partners", "serve none", "serve several", "not asked",
	};
	enum { LOST = 4, COUNT = sizeof head / sizeof *head };
	struct columns columns = {.count = some_not_asked(rows, n) ? 1 + COUNT : COUNT, .left = 1};
	const char *texts[1 + COUNT] = {"interval"};
	char cells[COUNT][UNITS_TEXT];

	memcpy(texts + 1, head, sizeof head);
	columns_add(&columns, texts);
	for (size_t i = 0; i < n; i++) {
		const struct account *a = &rows[i].account;
		size_t counts[COUNT] = {
		    a->anchors[FATE_MATCHED] + row_unmatched(&rows[i]),
		    a->anchors[FATE_MATCHED],
		    a->anchors[FATE_NONE],
		    a->anchors[FATE_CUT],
		    a->anchors[FATE_LOST],
		    a->anchors[FATE_OFF],
		    a->partners,
		    a->unserved,
		    a->shared,
		    a->not_asked,
		};

		if (rows[i].metric)
			continue;
		texts[0] = rows[i].interval->name;
		for (int c = 0; c < COUNT; c++)
			texts[1 + c] = c == LOST && !row_lost_known(&rows[i])
					   ? "-"
					   : units_count(cells[c], counts[c]);
		columns_add(&columns, texts);
	}
	columns_print(&columns, out);
}

static void stats_text_depths(FILE *out, const struct stats_row *rows, size_t n)
{
	static const char *const head[] = {"interval",  "most open",   "first at",
					   "mean open", "instances/s", "rate x mean time"};
	struct columns columns = {.count = 6, .left = 1};

	columns_add(&columns, head);
	for (size_t i = 0; i < n; i++) {
		const struct depth *d = &rows[i].depth;
		char cells[5][UNITS_TEXT];

		if (rows[i].metric)
			continue;
		units_count(cells[0], d->max);
		snprintf(cells[1], sizeof cells[1], "-");
		if (d->max)
			units_time(cells[1], (double)d->at);
		snprintf(cells[2], sizeof cells[2], "%.4g", d->mean);
		snprintf(cells[3], sizeof cells[3], "%.4g", d->rate);
		snprintf(cells[4], sizeof cells[4], "%.4g", d->little);
		columns_add(&columns, (const char *[]){rows[i].interval->name, cells[0], cells[1],
						       cells[2], cells[3], cells[4]});
	}
	columns_print(&columns, out);
}

/* ---- csv ---- */

static void row_csv(FILE *out, const struct stats_row *row, bool depth)
{
	const struct account *a = &row->account;
	struct value values[NVALUES];
	char text[UNITS_TEXT], name[NAME];

	fprintf(out, "%s,%zu", row_name(name, row), row->series->n);
	known_csv(out, !row->metric, (int64_t)row_unmatched(row));
	if (row->series->n)
		stats_values(row->series, values);
	for (int i = 0; i < NVALUES; i++)
		fprintf(out, ",%s", row->series->n ? value_digits(text, &values[i]) : "");
	if (row->metric) {
		fputs(depth ? ",,,,,,,,,,," : ",,,,,,,,", out);
		putc('\n', out);
		return;
	}
	fprintf(out, ",%zu,%zu", a->anchors[FATE_NONE], a->anchors[FATE_CUT]);
	known_csv(out, row_lost_known(row), (int64_t)a->anchors[FATE_LOST]);
	fprintf(out, ",%zu,%zu,%zu,%zu,%zu", a->anchors[FATE_OFF], a->partners, a->unserved,
		a->shared, a->not_asked);
	if (depth) {
		fprintf(out, ",%zu,", row->depth.max);
		print_real(out, row->depth.mean);
		putc(',', out);
		print_real(out, row->depth.rate);
	}
	putc('\n', out);
}

static void stats_csv(FILE *out, const struct stats_row *rows, size_t n, bool depth)
{
	fprintf(out,
		"interval,count,unmatched,min,mean,p50,p90,p99,max,total,"
		"no_partner,cut_off,lost,switched_off,partners,unserved,shared,not_asked%s\n",
		depth ? ",max_depth,mean_depth,rate" : "");
	for (size_t i = 0; i < n; i++)
		row_csv(out, &rows[i], depth);
}

/* ---- json ---- */

static void account_json(struct json *j, const struct stats_row *row)
{
	const struct account *a = &row->account;

	json_object(j, "anchors");
	for (enum fate fate = FATE_MATCHED; fate < NFATES; fate++)
		known_json(j, fate_name(fate), fate != FATE_LOST || row_lost_known(row),
			   (int64_t)a->anchors[fate]);
	json_uint(j, "not_asked", a->not_asked);
	json_close(j);
	json_object(j, "partners");
	json_uint(j, "all", a->partners);
	json_uint(j, "serve_none", a->unserved);
	json_uint(j, "serve_several", a->shared);
	json_close(j);
}

static void depth_json(struct json *j, const struct depth *d)
{
	json_object(j, "depth");
	json_uint(j, "max", d->max);
	known_json(j, "max_at", d->max, d->at);
	json_real(j, "mean", d->mean);
	json_real(j, "rate", d->rate);
	json_real(j, "rate_times_mean_time", d->little);
	json_close(j);
}

static void row_json(struct json *j, const struct stats_row *row, bool depth,
		     const struct losses *losses)
{
	struct value values[NVALUES];

	json_object(j, NULL);
	json_string(j, "interval", row->interval->name);
	if (row->metric)
		json_string(j, "metric", row->metric->name);
	json_uint(j, "count", row->series->n);
	known_json(j, "unmatched", !row->metric, (int64_t)row_unmatched(row));
	if (row->series->n)
		stats_values(row->series, values);
	for (int i = 0; i < NVALUES; i++) {
		if (row->series->n)
			value_json(j, stats_value_names[i], &values[i]);
		else
			json_null(j, stats_value_names[i]);
	}
	if (!row->metric)
		account_json(j, row);
	if (depth && !row->metric)
		depth_json(j, &row->depth);
	losses_json(j, losses);
	json_close(j);
}

/* ---- all ---- */

/*
 * Returns whether the trace has neither instances nor events that may be anchors of a row's
 * interval.
 */
static bool row_is_empty(const struct stats_row *row)
{
	return row->series->n == 0 && row_unmatched(row) == 0 && !row->account.not_asked;
}

/*
 * Moves rows of intervals that the trace does not have behind the others, unless they are few, in
 * the same order; returns how many others there are.
 */
static size_t rows_part(struct stats_row *rows, size_t n)
{
	struct stats_row *empty = array_new(n, sizeof *rows);
	size_t kept = 0, nempty = 0, absent = 0;
	bool is_empty = false;

	for (size_t i = 0; i < n; i++)
		absent += !rows[i].metric && row_is_empty(&rows[i]);
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].metric) /* those of its metrics follow */
			is_empty = absent > NONE_FEW && row_is_empty(&rows[i]);
		if (is_empty)
			empty[nempty++] = rows[i];
		else
			rows[kept++] = rows[i];
	}
	memcpy(rows + kept, empty, nempty * sizeof *empty);
	free(empty);
	return kept;
}

static void stats_text(FILE *out, struct stats_row *rows, size_t n, bool depth)
{
	size_t kept = rows_part(rows, n), nnames = 0;
	const char **names = array_new(n, sizeof *names);

	stats_text_statistics(out, rows, kept);
	putc('\n', out);
	stats_text_accounts(out, rows, kept);
	if (depth) {
		putc('\n', out);
		stats_text_depths(out, rows, kept);
	}
	for (size_t i = kept; i < n; i++)
		if (!rows[i].metric)
			names[nnames++] = rows[i].interval->name;
	none_print(out, names, nnames);
	free(names);
}

static void stats_print(FILE *out, enum format format, struct stats_row *rows, size_t n, bool depth,
			const struct trace *t)
{
	struct losses losses;
	struct json j;

	if (format == FORMAT_CSV) {
		stats_csv(out, rows, n, depth);
	} else if (format == FORMAT_JSON) {
		losses = losses_of(t);
		j = json_begin(out, 1);
		json_array(&j, NULL);
		for (size_t i = 0; i < n; i++)
			row_json(&j, &rows[i], depth, &losses);
		json_close(&j);
	} else {
		stats_text(out, rows, n, depth);
	}
}

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

static struct stats_row durations_row(const struct interval *interval, struct series series)
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

	if (with_depth || (with_metrics && interval->nmetrics) || crossing_matters(t, interval) ||
	    !tally_interval(t, interval, &tally))
		return false;
	*row = durations_row(interval, (struct series){.n = tally.matched, .words = tally.words});
	account_tally(t, &tally, row_reach(row), &row->account);
	account_clear(&row->account);
	return true;
}

/* An interval's row and, if wanted, one for each of its metrics; how many. */
static size_t rows_fill(struct command_request *r, struct trace *t, const struct interval *interval,
			struct stats_row *rows)
{
	struct matches *m;
	size_t n = 1;

	if (row_tally(t, interval, rows))
		return 1;
	m = match_interval(t, interval);
	matches_warn(m, &r->diag);
	crossing_warn_of(t, m, &r->diag);
	rows[0] = durations_row(interval, series_of_durations(m));
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

static int stats_run(struct command_request *r)
{
	struct trace *t = request_open(r);
	const struct interval **intervals = t ? intervals_chosen(t, &r->diag) : NULL;
	struct stats_row *rows;
	size_t n = 0;
	int status;

	if (!intervals) {
		trace_close(t);
		return EXIT_ERROR;
	}
	lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, t, NULL);
	if (stats_by_wanted()) {
		if (with_metrics || with_depth)
			usage_fail("--by cannot be combined with --metric or --depth");
		status = stats_by_print(r, t, intervals);
		free(intervals);
		trace_close(t);
		return status;
	}
	rows = array_zero(rows_wanted(intervals), sizeof *rows);
	for (size_t i = 0; intervals[i]; i++)
		n += rows_fill(r, t, intervals[i], rows + n);
	for (size_t i = 0; i < n; i++)
		rows[i].lossy = losses_has_events(t);
	stats_print(r->out, r->format, rows, n, with_depth, t);
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
    INTERVAL_OPTION,
    BY_OPTION,
    MEMORY_OPTION,
    {'m', "metric", NULL, "also print a row for each metric", take_metric},
    {'d', "depth", NULL,
     "print the maximum and mean number of open instances, checked by Little's law", take_depth},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_stats = {
    .name = "stats",
    .summary = "counts, durations and quantiles of each interval",
    .teaches =
	"Prints for each interval the number of instances, the number of anchors without a partner,\n"
	"and the durations. They are exact, not sampled; quantiles use the nearest rank. A second\n"
	"table accounts for every anchor and for every event of the partner's type.\n"
	"\n"
	"--by groups the instances by thread (of the anchor), process, owner, or any expression\n"
	"over the events of an interval. For example, regions by thread show an uneven load.\n"
	"Imbalance is (max - mean) / max of the totals. Intervals without the attributes of the\n"
	"expression are left out.\n",
    .examples = "  glimpse stats run1\n"
		"  glimpse stats run1 --interval Transit --metric --depth\n"
		"  glimpse stats run1 --by thread\n"
		"  glimpse stats run1 --by b.kernel --by thread\n"
		"  glimpse stats run1 --by 'b.size / 64 KiB'\n"
		"  glimpse stats run1 --format=csv | cut -d, -f1,9\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = stats_run,
};
