#include "cli/stats_by.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/json.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/stats_values.h"
#include "grammar/parse.h"
#include "match/stats/crossing.h"
#include "match/stats/grouped.h"
#include "spec/expr_check.h"
#include "spec/qualified.h"
#include <stdlib.h>
#include <string.h>

/* Threads, or what else the columns are, in one table; and in all. */
enum { ACROSS = 8, ACROSS_MOST = 4 * ACROSS, NAME = 64 };

static const char *texts[GROUPS_KEYS];
static unsigned ntexts;

/* What is asked for, and what is printed of one interval. */
struct by {
	struct command_request *request;
	struct trace *trace;
	struct source *source[GROUPS_KEYS];
	struct ast *tree[GROUPS_KEYS];
	struct json json;
	bool begun; /* something has been printed */
	VECTOR(const char *) none;
};

struct by_interval {
	struct by *by;
	const struct interval *interval;
	struct expr *key[GROUPS_KEYS];
	struct grouped *groups;
};

void stats_by_take(const char *expression)
{
	if (ntexts == GROUPS_KEYS)
		usage_fail("--by: at most %d expressions", GROUPS_KEYS);
	texts[ntexts++] = expression;
}

bool stats_by_wanted(void)
{
	return ntexts > 0;
}

/* ---- what the expressions mean ---- */

static bool by_parse(struct by *by)
{
	bool good = true;

	for (unsigned i = 0; i < ntexts; i++) {
		by->source[i] = source_text("--by", texts[i]);
		by->tree[i] = parse_series(by->source[i], &by->request->diag);
		good = good && by->tree[i];
	}
	return good;
}

static void by_clear(struct by *by)
{
	for (unsigned i = 0; i < ntexts; i++) {
		ast_free(by->tree[i]);
		source_free(by->source[i]);
	}
	free(by->none.at);
}

static void keys_free(struct by_interval *x)
{
	for (unsigned i = 0; i < ntexts; i++) {
		expr_free(x->key[i]);
		x->key[i] = NULL;
	}
}

/* Returns false if the interval does not have what an expression asks for, as diag is told. */
static bool keys_check(struct by_interval *x, struct diag *diag)
{
	for (unsigned i = 0; i < ntexts; i++) {
		x->key[i] =
		    interval_key(x->by->trace->spec, x->interval, x->by->tree[i]->series, diag);
		if (!x->key[i]) {
			keys_free(x);
			return false;
		}
	}
	return true;
}

/* Keeps the intervals that have what is asked for; with none, the first one's lack is reported. */
static bool intervals_keep(struct by *by, const struct interval **intervals)
{
	const struct interval *first = intervals[0];
	size_t n = 0;

	for (unsigned i = 0; i < ntexts; i++)
		qualified_resolve(by->trace->spec, by->tree[i]->series);

	for (size_t i = 0; intervals[i]; i++) {
		struct by_interval x = {.by = by, .interval = intervals[i]};
		struct diag quiet = {.out = NULL};

		if (keys_check(&x, &quiet))
			intervals[n++] = intervals[i];
		keys_free(&x);
	}
	intervals[n] = NULL;
	if (n == 0 && first)
		keys_check(&(struct by_interval){.by = by, .interval = first}, &by->request->diag);
	return n > 0;
}

/* ---- keys as text ---- */

/* For people. The text lives as long as the keys, or the room. */
static const char *key_text(const struct keys *k, uint32_t number, char text[NAME])
{
	const struct value *v = &k->at.at[number].value;

	switch (keys_sort(k)) {
	case KEY_THREAD:
		return trace_thread(k->trace, (uint32_t)v->integer)->label;
	case KEY_PROCESS:
		return process_text(text, NAME, &k->trace->processes[v->integer]);
	default:
		break;
	}
	if (k->symbolic)
		return address_key_text(k->trace, (int64_t)v->integer);
	if (v->kind == VALUE_STRING)
		return k->at.at[number].text;
	if (v->kind == VALUE_BOOL)
		return v->truth ? "true" : "false";
	return value_text(text, v,
			  k->expression->unit == UNIT_ADDRESS ? UNIT_NONE : k->expression->unit);
}

/* For scripts. */
static const char *key_digits(const struct keys *k, uint32_t number, char text[NAME])
{
	const struct value *v = &k->at.at[number].value;
	bool named = k->symbolic || v->kind == VALUE_STRING || v->kind == VALUE_BOOL;

	return named ? key_text(k, number, text) : value_digits(text, v);
}

/* ---- text ---- */

/* The most costly first, where the keys before the last have no order of their own. */
static int compare_spreads(const void *left, const void *right)
{
	const struct spread *a = left, *b = right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return a->begin > b->begin ? 1 : -1;
}

static size_t spreads_of(const struct grouped *g, struct spread *list)
{
	size_t n = 0;

	for (size_t at = 0; at < g->n; at = list[n++].end)
		list[n] = grouped_spread(g, at);
	if (g->nkeys > 1 && n && keys_sort(&g->keys[0]) != KEY_NUMBER)
		qsort(list, n, sizeof *list, compare_spreads);
	return n;
}

static const char *time_text(char text[UNITS_TEXT], int64_t ns)
{
	return ns ? units_time(text, (double)ns) : "-";
}

static void title_print(const struct by_interval *x, const char *what)
{
	FILE *out = x->by->request->out;

	fprintf(out, "%s%s by ", x->by->begun ? "\n" : "", x->interval->name);
	for (unsigned i = 0; i < ntexts; i++)
		fprintf(out, "%s%s", i ? ", " : "", texts[i]);
	fprintf(out, "%s\n", what);
	x->by->begun = true;
}

static int compare_totals(const void *left, const void *right)
{
	const struct group *a = *(struct group *const *)left, *b = *(struct group *const *)right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return a > b ? 1 : -1;
}

static void group_text(const struct grouped *g, struct group *at, struct columns *columns)
{
	char cells[3 + STATS_VALUES][NAME];
	const char *row[3 + STATS_VALUES];
	struct value values[STATS_VALUES];
	unsigned n = 0;

	row[n++] = key_text(&g->keys[0], at->key[0], cells[0]);
	row[n++] = units_count(cells[1], at->durations.n);
	if (g->anchors)
		row[n++] = units_count(cells[2], at->unmatched);
	if (at->durations.n)
		stats_values(&at->durations, values);
	for (int i = 0; i < STATS_VALUES; i++)
		row[n + (unsigned)i] =
		    at->durations.n ? value_text(cells[3 + i], &values[i], UNIT_TIME) : "-";
	columns_add(columns, row);
}

static void imbalance_print(const struct grouped *g, FILE *out)
{
	struct spread s = grouped_spread(g, 0);
	char name[NAME];

	if (g->n > 1 && keys_sort(&g->keys[0]) != KEY_NUMBER)
		fprintf(
		    out,
		    "imbalance %.1f %%: %s has the largest total; (max - mean) / max of the totals\n",
		    100 * s.imbalance, key_text(&g->keys[0], g->at[s.widest].key[0], name));
}

/* One expression: a row for each of its values. */
static void groups_text(const struct by_interval *x)
{
	struct grouped *g = x->groups;
	struct columns columns = {.count = (g->anchors ? 3 : 2) + STATS_VALUES, .left = 1};
	const char *head[3 + STATS_VALUES] = {texts[0], "count", "unmatched"};
	struct group **order = array_new(g->n, sizeof(struct group *));

	memcpy(head + (g->anchors ? 3 : 2), stats_value_names, sizeof stats_value_names);
	columns_add(&columns, head);
	for (size_t i = 0; i < g->n; i++)
		order[i] = &g->at[i];
	if (keys_sort(&g->keys[0]) != KEY_NUMBER && g->n)
		qsort(order, g->n, sizeof(struct group *), compare_totals);
	for (size_t i = 0; i < g->n; i++)
		group_text(g, order[i], &columns);
	title_print(x, "");
	columns_print(&columns, x->by->request->out);
	imbalance_print(g, x->by->request->out);
	free(order);
}

/* Fills in the cells of all keys but the last; returns how many. */
static unsigned row_keys(const struct grouped *g, size_t group, const char **row,
			 char cells[][NAME])
{
	for (unsigned i = 0; i + 1 < g->nkeys; i++)
		row[i] = key_text(&g->keys[i], g->at[group].key[i], cells[i]);
	return g->nkeys - 1;
}

static void spread_text(const struct grouped *g, const struct spread *s, struct columns *columns)
{
	char cells[GROUPS_KEYS + 6][NAME], *cell;
	const char *row[GROUPS_KEYS + 6];
	const struct keys *last = &g->keys[g->nkeys - 1];
	unsigned n = row_keys(g, s->begin, row, cells);
	size_t count = 0;

	for (size_t i = s->begin; i < s->end; i++)
		count += g->at[i].durations.n;
	row[n] = units_count(cells[n], count);
	row[n + 1] = time_text(cells[n + 1], s->total);
	row[n + 2] = units_time(cells[n + 2], s->mean);
	row[n + 3] = time_text(cells[n + 3], s->max);
	row[n + 4] = key_text(last, g->at[s->widest].key[g->nkeys - 1], cells[n + 4]);
	cell = cells[n + 5];
	snprintf(cell, NAME, "%.1f %%", 100 * s->imbalance);
	row[n + 5] = cell;
	columns_add(columns, row);
}

/* The totals of one by the other, for so many values of the last key. */
static void totals_text(const struct by_interval *x, const struct spread *list, size_t n,
			const uint32_t *across, unsigned nacross)
{
	const struct grouped *g = x->groups;
	unsigned keys = g->nkeys - 1;
	struct columns columns = {.count = keys + nacross, .left = keys};
	char cells[GROUPS_KEYS + ACROSS][NAME];
	const char *row[GROUPS_KEYS + ACROSS];

	for (unsigned i = 0; i < keys; i++)
		row[i] = texts[i];
	for (unsigned i = 0; i < nacross; i++)
		row[keys + i] = key_text(&g->keys[keys], across[i], cells[keys + i]);
	columns_add(&columns, row);
	for (size_t k = 0; k < n; k++) {
		row_keys(g, list[k].begin, row, cells);
		for (unsigned i = 0; i < nacross; i++)
			row[keys + i] = "-";
		for (size_t at = list[k].begin; at < list[k].end; at++)
			for (unsigned i = 0; i < nacross; i++)
				if (g->at[at].key[keys] == across[i])
					row[keys + i] = time_text(cells[keys + i], g->at[at].total);
		columns_add(&columns, row);
	}
	putc('\n', x->by->request->out);
	columns_print(&columns, x->by->request->out);
}

static int compare_numbers(const void *left, const void *right, void *keys)
{
	return keys_compare(keys, *(const uint32_t *)left, *(const uint32_t *)right);
}

/* The totals by all values of the last key, in tables of few columns. */
static void across_text(const struct by_interval *x, const struct spread *list, size_t n)
{
	struct keys *last = &x->groups->keys[x->groups->nkeys - 1];
	uint32_t *across = array_new(last->at.n, sizeof *across);

	for (size_t i = 0; i < last->at.n; i++)
		across[i] = (uint32_t)i;
	qsort_r(across, last->at.n, sizeof *across, compare_numbers, last);
	if (last->at.n > ACROSS_MOST)
		fprintf(x->by->request->out,
			"\n%zu columns do not fit here; --format=csv prints all\n", last->at.n);
	for (size_t i = 0; i < last->at.n && last->at.n <= ACROSS_MOST; i += ACROSS)
		totals_text(x, list, n, across + i,
			    (unsigned)(last->at.n - i < ACROSS ? last->at.n - i : ACROSS));
	free(across);
}

/* Several expressions: of the last one how evenly its values share, then the totals. */
static void spreads_text(const struct by_interval *x)
{
	const struct grouped *g = x->groups;
	struct spread *list = array_new(g->n, sizeof *list);
	size_t n = spreads_of(g, list);
	unsigned keys = g->nkeys - 1;
	struct columns columns = {.count = keys + 6, .left = keys};
	const char *head[GROUPS_KEYS + 6];

	for (unsigned i = 0; i < keys; i++)
		head[i] = texts[i];
	memcpy(head + keys,
	       (const char *const[]){"count", "total", "mean", "max", "of", "imbalance"},
	       6 * sizeof *head);
	columns_add(&columns, head);
	for (size_t i = 0; i < n; i++)
		spread_text(g, &list[i], &columns);
	title_print(x, ": time");
	columns_print(&columns, x->by->request->out);
	across_text(x, list, n);
	free(list);
}

/* ---- csv and json ---- */

static void csv_head(FILE *out)
{
	fputs("interval", out);
	for (unsigned i = 0; i < ntexts; i++) {
		putc(',', out);
		csv_write_field(out, texts[i]);
	}
	fputs(",count,unmatched", out);
	for (int i = 0; i < STATS_VALUES; i++)
		fprintf(out, ",%s", stats_value_names[i]);
	fputs(",imbalance\n", out);
}

static void group_csv(const struct by_interval *x, struct group *at, double imbalance)
{
	const struct grouped *g = x->groups;
	FILE *out = x->by->request->out;
	struct value values[STATS_VALUES];
	char text[NAME];

	fputs(x->interval->name, out);
	for (unsigned i = 0; i < g->nkeys; i++) {
		putc(',', out);
		csv_write_field(out, key_digits(&g->keys[i], at->key[i], text));
	}
	fprintf(out, ",%zu,", at->durations.n);
	if (g->anchors)
		fprintf(out, "%zu", at->unmatched);
	if (at->durations.n)
		stats_values(&at->durations, values);
	for (int i = 0; i < STATS_VALUES; i++)
		fprintf(out, ",%s", at->durations.n ? value_digits(text, &values[i]) : "");
	putc(',', out);
	print_real(out, imbalance);
	putc('\n', out);
}

static void key_json(struct json *j, const struct keys *k, const char *name, uint32_t number)
{
	const struct value *v = &k->at.at[number].value;
	char text[NAME];

	if (v->kind == VALUE_BOOL)
		json_bool(j, name, v->truth);
	else if (k->symbolic || v->kind == VALUE_STRING)
		json_string(j, name, key_text(k, number, text));
	else
		value_json(j, name, v);
}

static void group_json(const struct by_interval *x, struct group *at, double imbalance)
{
	const struct grouped *g = x->groups;
	struct json *j = &x->by->json;
	struct value values[STATS_VALUES];

	json_object(j, NULL);
	json_string(j, "interval", x->interval->name);
	json_object(j, "by");
	for (unsigned i = 0; i < g->nkeys; i++)
		key_json(j, &g->keys[i], texts[i], at->key[i]);
	json_close(j);
	json_uint(j, "count", at->durations.n);
	if (g->anchors)
		json_uint(j, "unmatched", at->unmatched);
	else
		json_null(j, "unmatched");
	if (at->durations.n)
		stats_values(&at->durations, values);
	for (int i = 0; i < STATS_VALUES; i++)
		if (at->durations.n)
			value_json(j, stats_value_names[i], &values[i]);
		else
			json_null(j, stats_value_names[i]);
	json_real(j, "imbalance", imbalance);
	json_close(j);
}

static void groups_each(const struct by_interval *x,
			void (*print)(const struct by_interval *, struct group *, double))
{
	struct grouped *g = x->groups;

	for (size_t at = 0; at < g->n;) {
		struct spread s = grouped_spread(g, at);

		for (; at < s.end; at++)
			print(x, &g->at[at], s.imbalance);
	}
}

/* ---- all ---- */

static bool has_instances(const struct grouped *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->at[i].durations.n)
			return true;
	return false;
}

static void interval_text(struct by_interval *x)
{
	if (!has_instances(x->groups))
		*vector_add(&x->by->none) = x->interval->name;
	else if (ntexts == 1)
		groups_text(x);
	else
		spreads_text(x);
}

static void interval_print(struct by_interval *x)
{
	struct command_request *r = x->by->request;
	struct matches *m = match_interval(x->by->trace, x->interval);
	const struct expr *key[GROUPS_KEYS];

	matches_warn(m, &r->diag);
	crossing_warn_of(x->by->trace, m, &r->diag);
	memcpy(key, x->key, sizeof key);
	x->groups = grouped_new(x->by->trace, m, key, ntexts);
	if (x->groups->undefined)
		diag_warning(
		    &r->diag, "faults", DIAG_NOWHERE,
		    "%zu of %zu anchors of %s are in no group: their expression overflows, "
		    "divides by zero or is not a number",
		    x->groups->undefined, m->count, x->interval->name);
	if (r->format == FORMAT_CSV)
		groups_each(x, group_csv);
	else if (r->format == FORMAT_JSON)
		groups_each(x, group_json);
	else
		interval_text(x);
	grouped_free(x->groups);
	matches_free(m);
}

static void intervals_print(struct by *by, const struct interval **intervals)
{
	struct command_request *r = by->request;

	by->json = json_begin(r->out, 1);
	if (r->format == FORMAT_CSV)
		csv_head(r->out);
	else if (r->format == FORMAT_JSON)
		json_array(&by->json, NULL);
	for (; *intervals; intervals++) {
		struct by_interval x = {.by = by, .interval = *intervals};

		keys_check(&x, &r->diag);
		interval_print(&x);
		keys_free(&x);
	}
	if (r->format == FORMAT_JSON)
		json_close(&by->json);
	none_print(r->out, by->none.at, by->none.n);
}

int stats_by_print(struct command_request *r, struct trace *t, const struct interval **intervals)
{
	struct by by = {.request = r, .trace = t};
	bool good = by_parse(&by) && intervals_keep(&by, intervals);

	if (good)
		intervals_print(&by, intervals);
	by_clear(&by);
	return good ? EXIT_FINE : EXIT_ERROR;
}
