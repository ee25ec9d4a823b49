#include "cli/stats_print.h"
#include "base/json.h"
#include "cli/event_text.h"
#include "cli/table.h"
#include "cli/value_text.h"
#include <string.h>

static const double quantiles[] = {0, 0.5, 0.9, 0.99, 1};
enum { NQUANTILES = sizeof quantiles / sizeof *quantiles, NAME = 200, CELL = 64 };

/* What the columns from "min" on show, in their order: min, mean, p50, p90, p99, max, total. */
enum { NVALUES = NQUANTILES + 2 };
static const char *const value_names[NVALUES] = {"min", "mean", "p50",	"p90",
						 "p99", "max",	"total"};

static void row_values(const struct stats_row *row, struct value *values)
{
	struct value quantile[NQUANTILES];

	series_quantiles(row->series, quantiles, NQUANTILES, quantile);
	values[NVALUES - 1] = series_sum(row->series);
	values[0] = quantile[0];
	values[1] = (struct value){.kind = VALUE_REAL,
				   .real = series_mean_of(row->series, &values[NVALUES - 1])};
	memcpy(values + 2, quantile + 1, (NQUANTILES - 1) * sizeof *values);
}

static const char *row_name(char name[NAME], const struct stats_row *row)
{
	snprintf(name, NAME, "%s%s%s", row->interval->name, row->metric ? "." : "",
		 row->metric ? row->metric->name : "");
	return name;
}

static size_t row_unmatched(const struct stats_row *row)
{
	size_t n = 0;

	for (enum fate fate = FATE_NONE; fate < NFATES; fate++)
		n += row->account.anchors[fate];
	return n;
}

/* ---- text ---- */

static void text_row(struct columns *columns, const struct stats_row *row)
{
	char cells[3 + NVALUES][CELL], name[NAME];
	const char *texts[3 + NVALUES];
	struct value values[NVALUES];

	texts[0] = row_name(name, row);
	texts[1] = units_count(cells[1], row->series->n);
	texts[2] = row->metric ? "" : units_count(cells[2], row_unmatched(row));
	if (row->series->n)
		row_values(row, values);
	for (int i = 0; i < NVALUES; i++)
		texts[3 + i] =
		    row->series->n ? value_text(cells[3 + i], &values[i], row->unit) : "-";
	columns_add(columns, texts);
}

static void text_statistics(FILE *out, const struct stats_row *rows, size_t n)
{
	struct columns columns = {.count = 3 + NVALUES, .left = 1};
	const char *head[3 + NVALUES] = {"interval", "count", "unmatched"};

	memcpy(head + 3, value_names, sizeof value_names);
	columns_add(&columns, head);
	for (size_t i = 0; i < n; i++)
		text_row(&columns, &rows[i]);
	columns_print(&columns, out);
}

static void text_accounts(FILE *out, const struct stats_row *rows, size_t n)
{
	static const char *const head[] = {
		"anchors", "matched", "no partner", "cut off", "lost", "switched off",
		"partners", "serve none", "serve several",
	};
	enum { COUNT = sizeof head / sizeof *head };
	struct columns columns = {.count = 1 + COUNT, .left = 1};
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
		};

		if (rows[i].metric)
			continue;
		texts[0] = rows[i].interval->name;
		for (int c = 0; c < COUNT; c++)
			texts[1 + c] = units_count(cells[c], counts[c]);
		columns_add(&columns, texts);
	}
	columns_print(&columns, out);
}

static void text_depths(FILE *out, const struct stats_row *rows, size_t n)
{
	static const char *const head[] = {"interval",	"most open",   "first at",
					   "mean open", "instances/s", "rate x mean time"};
	struct columns columns = {.count = 6, .left = 1};

	columns_add(&columns, head);
	for (size_t i = 0; i < n; i++) {
		const struct depth *d = &rows[i].depth;
		char cells[5][UNITS_TEXT];

		if (rows[i].metric)
			continue;
		units_count(cells[0], d->max);
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

static void csv_row(FILE *out, const struct stats_row *row, bool depth)
{
	const struct account *a = &row->account;
	struct value values[NVALUES];
	char text[UNITS_TEXT], name[NAME];

	fprintf(out, "%s,%zu,%zu", row_name(name, row), row->series->n, row_unmatched(row));
	if (row->series->n)
		row_values(row, values);
	for (int i = 0; i < NVALUES; i++)
		fprintf(out, ",%s", row->series->n ? value_digits(text, &values[i]) : "");
	fprintf(out, ",%zu,%zu,%zu,%zu,%zu,%zu,%zu", a->anchors[FATE_NONE], a->anchors[FATE_CUT],
		a->anchors[FATE_LOST], a->anchors[FATE_OFF], a->partners, a->unserved, a->shared);
	if (depth) {
		fprintf(out, ",%zu,", row->depth.max);
		print_real(out, row->depth.mean);
		putc(',', out);
		print_real(out, row->depth.rate);
	}
	putc('\n', out);
}

static void csv_print(FILE *out, const struct stats_row *rows, size_t n, bool depth)
{
	fprintf(out, "interval,count,unmatched,min,mean,p50,p90,p99,max,total,"
		"no_partner,cut_off,lost,switched_off,partners,unserved,shared%s\n",
		depth ? ",max_depth,mean_depth,rate" : "");
	for (size_t i = 0; i < n; i++)
		csv_row(out, &rows[i], depth);
}

/* ---- json ---- */

static void json_value(struct json *j, const char *key, const struct value *v)
{
	if (v->kind == VALUE_REAL)
		json_real(j, key, v->real);
	else if (v->integer >= INT64_MIN && v->integer <= INT64_MAX)
		json_int(j, key, (int64_t)v->integer);
	else
		json_real(j, key, (double)v->integer);
}

static void json_account(struct json *j, const struct account *a)
{
	json_object(j, "anchors");
	for (enum fate fate = FATE_MATCHED; fate < NFATES; fate++)
		json_uint(j, fate_name(fate), a->anchors[fate]);
	json_close(j);
	json_object(j, "partners");
	json_uint(j, "all", a->partners);
	json_uint(j, "serve_none", a->unserved);
	json_uint(j, "serve_several", a->shared);
	json_close(j);
}

static void json_depth(struct json *j, const struct depth *d)
{
	json_object(j, "depth");
	json_uint(j, "max", d->max);
	json_int(j, "max_at", d->at);
	json_real(j, "mean", d->mean);
	json_real(j, "rate", d->rate);
	json_real(j, "rate_times_mean_time", d->little);
	json_close(j);
}

static void json_row(struct json *j, const struct stats_row *row, bool depth)
{
	struct value values[NVALUES];

	json_object(j, NULL);
	json_string(j, "interval", row->interval->name);
	if (row->metric)
		json_string(j, "metric", row->metric->name);
	json_uint(j, "count", row->series->n);
	json_uint(j, "unmatched", row_unmatched(row));
	if (row->series->n)
		row_values(row, values);
	for (int i = 0; i < NVALUES; i++) {
		if (row->series->n)
			json_value(j, value_names[i], &values[i]);
		else
			json_null(j, value_names[i]);
	}
	if (!row->metric)
		json_account(j, &row->account);
	if (depth && !row->metric)
		json_depth(j, &row->depth);
	json_close(j);
}

void stats_print(FILE *out, enum format format, struct stats_row *rows, size_t n, bool depth)
{
	struct json j;

	if (format == FORMAT_CSV) {
		csv_print(out, rows, n, depth);
	} else if (format == FORMAT_JSON) {
		j = json_begin(out, 1);
		json_array(&j, NULL);
		for (size_t i = 0; i < n; i++)
			json_row(&j, &rows[i], depth);
		json_close(&j);
	} else {
		text_statistics(out, rows, n);
		putc('\n', out);
		text_accounts(out, rows, n);
		if (depth) {
			putc('\n', out);
			text_depths(out, rows, n);
		}
	}
}
