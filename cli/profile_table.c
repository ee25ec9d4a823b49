#include "base/units.h"
#include "cli/common/fields.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/profile.h"
#include "trace/address.h"
#include "trace/plain_name.h"
#include <math.h>
#include <stdlib.h>

/* So many callers or callees of a function are shown, unless all rows are. */
enum { BELOW_MOST = 5, NVALUES = 13, KEY_ROOM = 96 };

/* ---- text ---- */

struct printing {
	const struct profile *p;
	struct columns columns;
	int nvalues; /* columns before the name, without the keys */
};

static void share_text(char text[UNITS_TEXT], const struct printing *x, int64_t time)
{
	snprintf(text, UNITS_TEXT, x->p->total ? "%.1f" : "-",
		 100 * (double)time / (double)x->p->total);
}

/* Nothing is known of how far a share is off that no samples say: it is as it was logged. */
static void range_text(char cells[2][UNITS_TEXT], const struct printing *x,
		       const struct call_row *row)
{
	struct share_range r = profile_share(x->p, row);
	bool known = profile_is_estimate(x->p, row);

	snprintf(cells[0], UNITS_TEXT, known ? "%.1f" : "-", 100 * r.low);
	snprintf(cells[1], UNITS_TEXT, known ? "%.1f" : "-", 100 * r.high);
}

static void times_text(char cells[4][UNITS_TEXT], const struct profile *p, int64_t total,
		       const struct call_times *t, const struct call_node *sum)
{
	profile_amount(cells[0], p, total);
	for (int i = 1; i < 4; i++)
		strcpy(cells[i], "-");
	if (sum->sampled)
		return;
	units_time(cells[1], (double)profile_mean(t, sum->calls));
	units_time(cells[2], (double)t->min);
	units_time(cells[3], (double)t->max);
}

/* Whether any row can have a value in a column, counted without the keys. */
static bool is_shown(const struct profile *p, unsigned column)
{
	if (column == 1 || column == 2)
		return p->sampled && !p->counted;
	if (column == 11 && p->counted)
		return !p->exact;
	if (column == 12)
		return p->sources;
	return p->logged || column == 0 || column == 3 || column == 7 || column == 11;
}

/*
 * Writes the names of a row's process and thread, as far as there are such columns. Returns how
 * many.
 */
static unsigned keys_text(const char *keys[2], char room[KEY_ROOM], const struct profile *p,
			  const struct call_row *row)
{
	unsigned n = 0;

	if (p->by & CALLS_BY_PROCESS)
		keys[n++] = process_text(room, KEY_ROOM, &p->trace->processes[row->process]);
	if (p->by & CALLS_BY_THREAD)
		keys[n++] = p->trace->threads[row->thread].label;
	return n;
}

static void row_text(struct printing *x, const struct call_row *row, const char *name)
{
	const struct call_node *sum = &row->sum;
	char cells[NVALUES][UNITS_TEXT], room[KEY_ROOM];
	const char *texts[NVALUES + 3];
	unsigned n = keys_text(texts, room, x->p, row);

	share_text(cells[0], x, sum->cpu.total);
	range_text(cells + 1, x, row);
	times_text(cells + 3, x->p, sum->cpu.total, &sum->cpu, sum);
	times_text(cells + 7, x->p, sum->outermost, &sum->real, sum);
	if (x->p->counted)
		units_count(cells[11], sum->samples);
	else if (sum->sampled)
		strcpy(cells[11], "-");
	else
		units_count(cells[11], sum->calls);
	if (sum->unfinished)
		strcat(cells[11], "*");
	strcpy(cells[12], profile_source(row));
	for (unsigned i = 0; i < NVALUES; i++)
		if (is_shown(x->p, i))
			texts[n++] = cells[i];
	texts[n] = name;
	columns_add(&x->columns, texts);
}

static void head_text(struct printing *x)
{
	const char *const values[NVALUES] = {
	    "%",    "95% from", "95% to", profile_head(x->p),
	    "mean", "min",      "max",    x->p->counted ? "with callees" : "real",
	    "mean", "min",      "max",    x->p->counted ? "samples" : "calls",
	    "from"};
	const char *head[NVALUES + 3];
	unsigned n = 0, keys;

	if (x->p->by & CALLS_BY_PROCESS)
		head[n++] = "process";
	if (x->p->by & CALLS_BY_THREAD)
		head[n++] = "thread";
	keys = n;
	for (unsigned i = 0; i < NVALUES; i++)
		if (is_shown(x->p, i))
			head[n++] = values[i];
	x->nvalues = (int)(n - keys);
	head[n++] =
	    x->p->by & CALLS_BY_LINE && !(x->p->by & CALLS_BY_FUNCTION) ? "line" : "function";
	x->columns = (struct columns){.count = n, .left = keys, .last_left = true};
	columns_add(&x->columns, head);
}

/*
 * Returns the name of a caller; to be freed. Its line says which one it is only if rows are by
 * lines.
 */
static char *caller_name(const struct profile *p, uint32_t caller)
{
	const struct call_function *f = &p->calls->functions[caller];
	bool line;

	if (caller == NO_FUNCTION)
		return text_format("(no function)");
	line = p->by & CALLS_BY_LINE && p->by & CALLS_BY_FUNCTION && f->line;
	return text_format("%s%s%s%s", f->name, line ? " (" : "", line ? f->line : "",
			   line ? ")" : "");
}

static char *caller_text(const struct profile *p, uint32_t caller)
{
	char *name = caller_name(p, caller), *text = plain_name_short(name);

	free(name);
	return text;
}

static char *row_name(const struct profile *p, const struct call_row *row)
{
	bool functions = p->by & (CALLS_BY_FUNCTION | CALLS_BY_LINE);
	char *function, *caller, *name;

	if (!(p->by & CALLS_BY_CALLER))
		return functions ? profile_name(p, row->function) : text_format("(all functions)");
	function = functions ? profile_name(p, row->function) : text_format("(all)");
	caller = caller_text(p, row->caller);
	name = text_format("%s %sfrom %s", function, functions ? " " : "", caller);
	free(function);
	free(caller);
	return name;
}

static void name_text(struct printing *x, const char *name)
{
	const char *texts[NVALUES + 1];

	for (int i = 0; i < x->nvalues; i++)
		texts[i] = "";
	texts[x->nvalues] = name;
	columns_add(&x->columns, texts);
}

static bool are_same(const struct call_node *a, const struct call_node *b)
{
	return a->sampled ? a->cpu.total == b->cpu.total && a->outermost == b->outermost
			  : a->calls == b->calls;
}

/* A caller or callee; its numbers are left out where they are those of the function. */
static void edge_text(struct printing *x, const struct call_row *edge, const struct call_node *sum)
{
	bool callers = x->p->below == BELOW_CALLERS;
	char *other = caller_text(x->p, callers ? edge->caller : edge->function);
	char *name = text_format("    %s %s", callers ? "from" : "calls", other);

	free(other);
	if (callers && are_same(&edge->sum, sum))
		name_text(x, name);
	else
		row_text(x, edge, name);
	free(name);
}

/* Prints the callers or the callees of a function; edges are in the order of their costs. */
static void below_text(struct printing *x, const struct call_table *edges,
		       const struct call_row *row)
{
	bool callers = x->p->below == BELOW_CALLERS, all = x->p->top == SIZE_MAX;
	size_t found = 0;

	for (size_t i = 0; i < edges->n; i++) {
		const struct call_row *e = &edges->rows[i];

		if ((callers ? e->function : e->caller) != row->function)
			continue;
		if (found++ < BELOW_MOST || all)
			edge_text(x, e, &row->sum);
	}
	if (found > BELOW_MOST && !all) {
		char *name = text_format("    and %zu other functions", found - BELOW_MOST);

		name_text(x, name);
		free(name);
	}
}

/* Whether the row is a function of the recorder: a text needs --top all for these. */
static bool is_hidden(const struct profile *p, const struct call_row *row)
{
	return p->top != SIZE_MAX && row->function != NO_FUNCTION &&
	       module_is_of_recorder(p->calls->functions[row->function].module);
}

/* Whether a row is too small for a text. Rows are in the order of their times. */
static bool is_small(const struct profile *p, const struct call_row *row)
{
	return p->brief && (double)row->sum.cpu.total * 100 < (double)p->total * SHARE_LEAST;
}

/* The rows that a text does not show, and those of the recorder. */
struct unshown {
	size_t rows, hidden;
	int64_t time, hidden_time;
};

static void rest_text(FILE *out, const struct printing *x, const struct unshown *r)
{
	char share[UNITS_TEXT];

	share_text(share, x, r->time);
	if (r->rows)
		fprintf(out, "and %zu more %s with %s %% in total: --top all\n", r->rows,
			r->rows == 1 ? "row" : "rows", share);
	share_text(share, x, r->hidden_time);
	if (r->hidden)
		fprintf(out, "and %zu of the recorder's functions with %s %% in total: --top all\n",
			r->hidden, share);
}

static void table_text(FILE *out, const struct profile *p, const struct call_table *t)
{
	struct printing x = {.p = p};
	struct call_table edges = {0};
	struct unshown rest = {0};
	size_t shown = 0;

	head_text(&x);
	if (p->below != BELOW_NOTHING)
		call_table_make(&edges, p->calls, CALLS_BY_FUNCTION | CALLS_BY_CALLER);
	for (size_t i = 0; i < t->n; i++) {
		const struct call_row *row = &t->rows[i];
		char *name;

		if (is_hidden(p, row)) {
			rest.hidden++;
			rest.hidden_time += row->sum.cpu.total;
			continue;
		}
		if (shown == p->top || (shown && is_small(p, row))) {
			rest.rows++;
			rest.time += row->sum.cpu.total;
			continue;
		}
		shown++;
		name = row_name(p, row);
		row_text(&x, row, name);
		free(name);
		if (p->below != BELOW_NOTHING)
			below_text(&x, &edges, row);
	}
	columns_print(&x.columns, out);
	rest_text(out, &x, &rest);
	call_table_free(&edges);
}

/* ---- csv and json ---- */

enum { THREAD, LABEL, PROCESS, FUNCTION, CALLER, EVENT, COUNT, COUNT_WITH_CALLEES, CALLS, REAL };
enum { CPU = REAL + 4, OWN = CPU + 4, UNFINISHED, SAMPLES, SHARE_LOW, SHARE_HIGH, FROM, CYCLE };
enum { CYCLE_COUNTED = CYCLE + 1, LINE, RECORDS_LOST, FIELDS };
static const struct field fields[FIELDS] = {
    [THREAD] = {"thread", 1},
    [LABEL] = {"label", 0},
    [PROCESS] = {"process", 23},
    [FUNCTION] = {"function", 2},
    [CALLER] = {"caller", 3},
    [EVENT] = {"event", 4},
    [COUNT] = {"count", 5},
    [COUNT_WITH_CALLEES] = {"count_with_callees", 6},
    [CALLS] = {"calls", 7},
    [REAL] = {"real_total", 8},
    [REAL + 1] = {"real_mean", 9},
    [REAL + 2] = {"real_min", 10},
    [REAL + 3] = {"real_max", 11},
    [CPU] = {"cpu_total", 12},
    [CPU + 1] = {"cpu_mean", 13},
    [CPU + 2] = {"cpu_min", 14},
    [CPU + 3] = {"cpu_max", 15},
    [OWN] = {"own_total", 16},
    [UNFINISHED] = {"unfinished", 17},
    [SAMPLES] = {"samples", 19},
    [SHARE_LOW] = {"share_low", 20},
    [SHARE_HIGH] = {"share_high", 21},
    [FROM] = {"from", 22},
    [CYCLE] = {"cycle", 18},
    [CYCLE_COUNTED] = {"cycle", 0},
    [LINE] = {"line", 24},
    [RECORDS_LOST] = {"records_lost", 0},
};

/* Returns the bits of the fields that are not wanted. */
static uint32_t fields_without(const struct profile *p)
{
	const uint32_t times = FIELDS_FROM(CALLS, UNFINISHED) | FIELDS_FROM(SHARE_LOW, CYCLE);
	const uint32_t counts = FIELDS_FROM(EVENT, COUNT_WITH_CALLEES) | 1u << CYCLE_COUNTED;

	return (p->counted ? times : counts) | (p->by & CALLS_BY_THREAD ? 0 : 1u << LABEL) |
	       (p->by & CALLS_BY_PROCESS ? 0 : 1u << PROCESS) | (p->lines ? 0 : 1u << LINE);
}

static void times_cells(struct table_cell cells[4], int64_t total, const struct call_times *t,
			const struct call_node *sum)
{
	cells[0] = cell_int(total);
	cells[1] = cell_known(!sum->sampled, profile_mean(t, sum->calls));
	cells[2] = cell_known(!sum->sampled, t->min);
	cells[3] = cell_known(!sum->sampled, t->max);
}

static void sum_cells(struct table_cell cells[FIELDS], const struct profile *p,
		      const struct call_row *row)
{
	const struct call_node *sum = &row->sum;
	struct share_range r = profile_share(p, row);
	bool estimate = profile_is_estimate(p, row);

	cells[EVENT] = cell_text(p->counted);
	cells[COUNT] = cell_int(sum->cpu.total);
	cells[COUNT_WITH_CALLEES] = cell_int(sum->outermost);
	cells[CALLS] = cell_known(!sum->sampled, (int64_t)sum->calls);
	times_cells(&cells[REAL], sum->outermost, &sum->real, sum);
	times_cells(&cells[CPU], sum->cpu.total, &sum->cpu, sum);
	cells[OWN] = cell_int(sum->own.total);
	cells[UNFINISHED] = cell_known(!sum->sampled, (int64_t)sum->unfinished);
	cells[SAMPLES] = cell_known(p->counted || sum->sampled, (int64_t)sum->samples);
	cells[SHARE_LOW] = cell_rounded(estimate ? r.low : NAN, "%.6f");
	cells[SHARE_HIGH] = cell_rounded(estimate ? r.high : NAN, "%.6f");
	cells[FROM] = cell_text(profile_source(row));
}

static void row_data(struct field_rows *rows, const struct profile *p, const struct call_row *row)
{
	bool thread = p->by & CALLS_BY_THREAD;
	const struct call_function *f =
	    row->function != NO_FUNCTION ? &p->calls->functions[row->function] : NULL;
	char *caller = row->caller == NO_FUNCTION ? NULL : caller_name(p, row->caller);
	struct table_cell cells[FIELDS] = {0};
	char room[KEY_ROOM];

	cells[THREAD] = cell_known(thread, thread ? p->trace->threads[row->thread].number : 0);
	cells[LABEL] = cell_text(thread ? p->trace->threads[row->thread].label : NULL);
	if (p->by & CALLS_BY_PROCESS)
		cells[PROCESS] =
		    cell_text(process_text(room, sizeof room, &p->trace->processes[row->process]));
	cells[FUNCTION] = cell_text(f && p->by & CALLS_BY_FUNCTION ? f->name : NULL);
	cells[CALLER] = cell_text(caller);
	sum_cells(cells, p, row);
	if (f && p->cycles[row->function])
		cells[CYCLE] = cells[CYCLE_COUNTED] = cell_uint(p->cycles[row->function]);
	if (f)
		cells[LINE] = cell_text(f->line);
	cells[RECORDS_LOST] = cell_uint(p->losses.records);
	fields_row(rows, cells);
	free(caller);
}

static void table_data(FILE *out, enum format format, const struct profile *p,
		       const struct call_table *t)
{
	struct field_rows rows = {
	    .fields = fields, .n = FIELDS, .without = fields_without(p), .losses = &p->losses};

	fields_open(&rows, out, format);
	for (size_t i = 0; i < t->n; i++)
		row_data(&rows, p, &t->rows[i]);
	fields_close(&rows);
}

void profile_table_print(FILE *out, enum format format, const struct profile *p)
{
	struct call_table t;

	call_table_make(&t, p->calls, p->by);
	if (format == FORMAT_TEXT)
		table_text(out, p, &t);
	else
		table_data(out, format, p, &t);
	call_table_free(&t);
}
