#include "base/csv.h"
#include "base/units.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/profile.h"
#include "trace/plain_name.h"
#include <inttypes.h>
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

static void rest_text(FILE *out, const struct printing *x, const struct call_table *t, size_t shown)
{
	int64_t rest = 0;
	char share[UNITS_TEXT];

	for (size_t i = shown; i < t->n; i++)
		rest += t->rows[i].sum.cpu.total;
	share_text(share, x, rest);
	if (shown < t->n)
		fprintf(out, "and %zu more rows with %s %% in total: --top all\n", t->n - shown,
			share);
}

static void table_text(FILE *out, const struct profile *p, const struct call_table *t)
{
	struct printing x = {.p = p};
	struct call_table edges = {0};
	size_t shown = t->n < p->top ? t->n : p->top;

	head_text(&x);
	if (p->below != BELOW_NOTHING)
		call_table_make(&edges, p->calls, CALLS_BY_FUNCTION | CALLS_BY_CALLER);
	for (size_t i = 0; i < shown; i++) {
		const struct call_row *row = &t->rows[i];
		char *name = row_name(p, row);

		row_text(&x, row, name);
		free(name);
		if (p->below != BELOW_NOTHING)
			below_text(&x, &edges, row);
	}
	columns_print(&x.columns, out);
	rest_text(out, &x, t, shown);
	call_table_free(&edges);
}

/* ---- csv ---- */

static void times_csv(FILE *out, int64_t total, const struct call_times *t,
		      const struct call_node *sum)
{
	if (sum->sampled)
		fprintf(out, ",%" PRId64 ",,,", total);
	else
		fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, total,
			profile_mean(t, sum->calls), t->min, t->max);
}

static void range_csv(FILE *out, const struct profile *p, const struct call_row *row)
{
	struct share_range r = profile_share(p, row);

	profile_count_csv(out, row->sum.sampled, row->sum.samples);
	if (profile_is_estimate(p, row))
		fprintf(out, ",%.6f,%.6f", r.low, r.high);
	else
		fputs(",,", out);
}

static void caller_csv(FILE *out, const struct profile *p, uint32_t caller)
{
	char *name;

	if (caller == NO_FUNCTION)
		return;
	name = caller_name(p, caller);
	csv_write_field(out, name);
	free(name);
}

static void process_csv(FILE *out, const struct profile *p, const struct call_row *row)
{
	char text[KEY_ROOM];

	putc(',', out);
	csv_write_field(out, process_text(text, sizeof text, &p->trace->processes[row->process]));
}

static void counts_csv(FILE *out, const struct profile *p, const struct call_row *row)
{
	putc(',', out);
	csv_write_field(out, p->counted);
	fprintf(out, ",%" PRId64 ",%" PRId64, row->sum.cpu.total, row->sum.outermost);
	fprintf(out, ",%" PRIu64, row->sum.samples);
}

static void times_row_csv(FILE *out, const struct profile *p, const struct call_row *row)
{
	const struct call_node *sum = &row->sum;

	profile_count_csv(out, !sum->sampled, sum->calls);
	times_csv(out, sum->outermost, &sum->real, sum);
	times_csv(out, sum->cpu.total, &sum->cpu, sum);
	fprintf(out, ",%" PRId64, sum->own.total);
	profile_count_csv(out, !sum->sampled, sum->unfinished);
	putc(',', out);
	if (row->function != NO_FUNCTION && p->cycles[row->function])
		fprintf(out, "%u", p->cycles[row->function]);
	range_csv(out, p, row);
	fprintf(out, ",%s", profile_source(row));
}

static void row_csv(FILE *out, const struct profile *p, const struct call_row *row)
{
	if (p->by & CALLS_BY_THREAD)
		fprintf(out, "%" PRIu32, p->trace->threads[row->thread].number);
	putc(',', out);
	if (row->function != NO_FUNCTION && p->by & CALLS_BY_FUNCTION)
		csv_write_field(out, p->calls->functions[row->function].name);
	putc(',', out);
	caller_csv(out, p, row->caller);
	if (p->counted)
		counts_csv(out, p, row);
	else
		times_row_csv(out, p, row);
	if (p->by & CALLS_BY_PROCESS)
		process_csv(out, p, row);
	if (p->lines) {
		putc(',', out);
		if (row->function != NO_FUNCTION && p->calls->functions[row->function].line)
			csv_write_field(out, p->calls->functions[row->function].line);
	}
	putc('\n', out);
}

static void table_csv(FILE *out, const struct profile *p, const struct call_table *t)
{
	static const char times[] =
	    "calls,real_total,real_mean,real_min,real_max,cpu_total,cpu_mean,cpu_min,cpu_max,"
	    "own_total,unfinished,cycle,samples,share_low,share_high,from";
	static const char counts[] = "event,count,count_with_callees,samples";

	fprintf(out, "thread,function,caller,%s%s%s\n", p->counted ? counts : times,
		p->by & CALLS_BY_PROCESS ? ",process" : "", p->lines ? ",line" : "");
	for (size_t i = 0; i < t->n; i++)
		row_csv(out, p, &t->rows[i]);
}

/* ---- json ---- */

static void times_json(struct json *j, const char *const keys[4], int64_t total,
		       const struct call_times *t, const struct call_node *sum)
{
	json_int(j, keys[0], total);
	for (int i = 1; i < 4 && sum->sampled; i++)
		json_null(j, keys[i]);
	if (sum->sampled)
		return;
	json_int(j, keys[1], profile_mean(t, sum->calls));
	json_int(j, keys[2], t->min);
	json_int(j, keys[3], t->max);
}

static void share_json(struct json *j, const char *key, bool known, double share)
{
	if (known)
		json_real(j, key, share);
	else
		json_null(j, key);
}

static void sum_json(struct json *j, const struct profile *p, const struct call_row *row)
{
	static const char *const real[] = {"real_total", "real_mean", "real_min", "real_max"};
	static const char *const cpu[] = {"cpu_total", "cpu_mean", "cpu_min", "cpu_max"};
	const struct call_node *sum = &row->sum;
	struct share_range r = profile_share(p, row);
	bool known = profile_is_estimate(p, row);

	profile_count_json(j, "calls", !sum->sampled, sum->calls);
	times_json(j, real, sum->outermost, &sum->real, sum);
	times_json(j, cpu, sum->cpu.total, &sum->cpu, sum);
	json_int(j, "own_total", sum->own.total);
	profile_count_json(j, "unfinished", !sum->sampled, sum->unfinished);
	profile_count_json(j, "samples", sum->sampled, sum->samples);
	share_json(j, "share_low", known, r.low);
	share_json(j, "share_high", known, r.high);
	json_string(j, "from", profile_source(row));
}

static void counts_json(struct json *j, const struct profile *p, const struct call_row *row)
{
	json_string(j, "event", p->counted);
	json_int(j, "count", row->sum.cpu.total);
	json_int(j, "count_with_callees", row->sum.outermost);
	json_uint(j, "samples", row->sum.samples);
}

static void caller_json(struct json *j, const struct profile *p, uint32_t caller)
{
	char *name = caller == NO_FUNCTION ? NULL : caller_name(p, caller);

	json_string(j, "caller", name);
	free(name);
}

static void process_json(struct json *j, const struct profile *p, const struct call_row *row)
{
	char text[KEY_ROOM];

	json_string(j, "process",
		    process_text(text, sizeof text, &p->trace->processes[row->process]));
}

static void row_json(struct json *j, const struct profile *p, const struct call_row *row)
{
	json_object(j, NULL);
	if (p->by & CALLS_BY_THREAD) {
		json_uint(j, "thread", p->trace->threads[row->thread].number);
		json_string(j, "label", p->trace->threads[row->thread].label);
	} else {
		json_null(j, "thread");
	}
	if (p->by & CALLS_BY_PROCESS)
		process_json(j, p, row);
	json_string(j, "function",
		    row->function != NO_FUNCTION && p->by & CALLS_BY_FUNCTION
			? p->calls->functions[row->function].name
			: NULL);
	caller_json(j, p, row->caller);
	if (p->counted)
		counts_json(j, p, row);
	else
		sum_json(j, p, row);
	if (row->function != NO_FUNCTION && p->cycles[row->function])
		json_uint(j, "cycle", p->cycles[row->function]);
	if (p->lines && row->function != NO_FUNCTION)
		json_string(j, "line", p->calls->functions[row->function].line);
	json_uint(j, "records_lost", p->losses.records);
	losses_json(j, &p->losses);
	json_close(j);
}

static void table_json(FILE *out, const struct profile *p, const struct call_table *t)
{
	struct json j = json_begin(out, 1);

	json_array(&j, NULL);
	for (size_t i = 0; i < t->n; i++)
		row_json(&j, p, &t->rows[i]);
	json_close(&j);
}

void profile_table_print(FILE *out, enum format format, const struct profile *p)
{
	struct call_table t;

	call_table_make(&t, p->calls, p->by);
	if (format == FORMAT_CSV)
		table_csv(out, p, &t);
	else if (format == FORMAT_JSON)
		table_json(out, p, &t);
	else
		table_text(out, p, &t);
	call_table_free(&t);
}
