#include "analysis/diff/diff.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/units.h"
#include "base/visible.h"
#include "cli/common/command.h"
#include "cli/common/intervals.h"
#include "cli/common/table.h"
#include "cli/common/top.h"
#include "trace/symbols/start_names.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 20, NAME_SHOWN = 120 };

static struct {
	double fail_above;
	unsigned shows;         /* bits of enum diff_table; 0: all */
	bool intervals;         /* some were named */
	bool everything;
} wanted = {.fail_above = INFINITY};

static const char *const show_names[NDIFF_TABLES] = {"intervals", "functions", "threads", "locks",
						     "memory"};

/* ---- options ---- */

static void take_fail_above(const char *value)
{
	char *end;
	double share = strtod(value, &end);

	if (end == value || strcmp(end, "%") != 0 || !(share >= 0))
		usage_fail("--fail-above needs a percentage, such as 5%%");
	wanted.fail_above = share / 100;
}

static void take_show(const char *name)
{
	for (enum diff_table table = 0; table < NDIFF_TABLES; table++)
		if (strcmp(name, show_names[table]) == 0) {
			wanted.shows |= 1u << table;
			return;
		}
	usage_fail("--show: '%s' is none of intervals, functions, threads, locks, memory", name);
}

static void take_interval(const char *name)
{
	wanted.intervals = true;
	intervals_take(name);
}

static void take_all(const char *unused)
{
	(void)unused;
	wanted.everything = true;
}

static bool is_wanted(enum diff_table table)
{
	if (!wanted.shows && wanted.intervals)
		return table == DIFF_INTERVALS;
	return !wanted.shows || wanted.shows & 1u << table;
}

/* ---- what is said ---- */

static const char *value_text(char text[UNITS_TEXT], enum diff_unit unit, double value)
{
	if (isnan(value))
		return "-";
	if (unit == DIFF_TIME)
		return units_time(text, value);
	return unit == DIFF_BYTES ? units_bytes(text, (uint64_t)value)
				  : units_count(text, (uint64_t)value);
}

static const char *factor_text(char text[UNITS_TEXT], const struct change *c)
{
	double factor = change_factor(c);

	if (isnan(factor))
		return "-";
	if (isinf(factor))
		return "new";
	if (factor == 0)
		return "gone";
	snprintf(text, UNITS_TEXT, factor < 10 ? "%.2f x" : "%.0f x", factor);
	return text;
}

static bool is_length(const struct change *c)
{
	return c->unit == DIFF_TIME && (strstr(c->measure, "mean") || c->measure[0] == 'p');
}

static const char *verdict_word(const struct change *c)
{
	switch (c->verdict) {
	case VERDICT_NOISE: return isnan(c->before) || isnan(c->after) ? "" : "noise";
	case VERDICT_SMALL: return "small";
	case VERDICT_UNTESTED: return isnan(c->before) || isnan(c->after) ? "" : "not tested";
	case VERDICT_LESS: return is_length(c) ? "faster" : "less";
	default: return is_length(c) ? "slower" : "more";
	}
}

static const char *verdict_text(char text[UNITS_TEXT], const struct change *c)
{
	if (!change_exceeds(c, wanted.fail_above))
		return verdict_word(c);
	snprintf(text, UNITS_TEXT, "%s: above the limit", verdict_word(c));
	return text;
}

/* ---- text ---- */

static void row_add(struct columns *columns, const struct change *c)
{
	char cells[4][UNITS_TEXT], name[NAME_SHOWN];

	snprintf(name, sizeof name, "%s", c->name);
	if (strlen(c->name) >= sizeof name)
		memcpy(name + sizeof name - 4, "...", 4);
	columns_add(columns, (const char *[]){
				 diff_row_names[c->table],
				 c->measure,
				 value_text(cells[0], c->unit, c->before),
				 value_text(cells[1], c->unit, c->after),
				 factor_text(cells[2], c),
				 verdict_text(cells[3], c),
				 name,
			     });
}

static size_t changed_count(const struct changes *c)
{
	size_t n = 0;

	while (n < c->all.n && c->all.at[n].verdict >= VERDICT_UNTESTED &&
	       *verdict_word(&c->all.at[n]))
		n++;
	return n;
}

static void rest_say(FILE *out, const struct changes *c, size_t shown, size_t changed)
{
	size_t noise = 0, small = 0;
	char time[UNITS_TEXT], bytes[UNITS_TEXT];

	for (size_t i = 0; i < c->all.n; i++) {
		noise += c->all.at[i].verdict == VERDICT_NOISE;
		small += c->all.at[i].verdict == VERDICT_SMALL;
	}
	if (shown < changed)
		fprintf(out, "and %zu more that changed, by smaller factors: --top all\n", changed - shown);
	if (!changed)
		fputs("nothing changed by more than chance and by enough to matter\n", out);
	if (noise + small == 0)
		return;
	fprintf(out, "%zu others are noise (p >= %g), ", noise, DIFF_NOISE);
	fprintf(out, "%zu changed by little (less than %s, %s, or %d in number): --all\n", small,
		units_time(time, c->floor[DIFF_TIME]),
		units_bytes(bytes, (uint64_t)c->floor[DIFF_BYTES]), (int)c->floor[DIFF_COUNT]);
}

static void runs_say(FILE *out, const struct request *r, const struct trace *a, const struct trace *b)
{
	char before[UNITS_TEXT], after[UNITS_TEXT];

	visible_puts(out, r->directories[0]);
	fprintf(out, " %s, ", units_time(before, (double)a->duration));
	visible_puts(out, r->directories[1]);
	fprintf(out, " %s", units_time(after, (double)b->duration));
	if (a->duration > 0)
		fprintf(out, ": %.2f x", (double)b->duration / (double)a->duration);
	fputs("\n\n", out);
}

static void changes_text(FILE *out, const struct changes *c)
{
	static const char *const head[] = {"", "measure", "before", "after", "factor", "verdict", "of"};
	struct columns columns = {.count = 7, .left = 2, .last_left = true};
	size_t changed = changed_count(c);
	size_t n = wanted.everything ? c->all.n : top_rows(changed, ROWS_SHOWN);

	if (n)
		columns_add(&columns, head);
	for (size_t i = 0; i < n; i++)
		row_add(&columns, &c->all.at[i]);
	if (n)
		columns_print(&columns, out);
	if (!wanted.everything)
		rest_say(out, c, n, changed);
}

/* ---- csv and json ---- */

/* Empty where there is no number. */
static void csv_number(FILE *out, double number, const char *format)
{
	putc(',', out);
	if (isfinite(number))
		fprintf(out, format, number);
}

static void changes_csv(FILE *out, const struct changes *c)
{
	char text[UNITS_TEXT];

	fputs("table,name,measure,before,after,factor,p,verdict\n", out);
	for (size_t i = 0; i < c->all.n; i++) {
		const struct change *x = &c->all.at[i];

		fprintf(out, "%s,", diff_row_names[x->table]);
		csv_write_field(out, x->name);
		fprintf(out, ",%s", x->measure);
		csv_number(out, x->before, "%.15g");
		csv_number(out, x->after, "%.15g");
		csv_number(out, change_factor(x), "%.6f");
		csv_number(out, x->p, "%.3g");
		fprintf(out, ",%s\n", verdict_text(text, x));
	}
}

static void change_json(struct json *j, const struct change *c)
{
	json_object(j, NULL);
	json_string(j, "table", diff_row_names[c->table]);
	json_string(j, "name", c->name);
	json_string(j, "measure", c->measure);
	json_real(j, "before", c->before);
	json_real(j, "after", c->after);
	json_real(j, "factor", change_factor(c));
	json_real(j, "p", c->p);
	json_string(j, "verdict", verdict_word(c));
	json_bool(j, "above_limit", change_exceeds(c, wanted.fail_above));
	json_close(j);
}

static void run_json(struct json *j, const char *which, const char *directory, const struct trace *t)
{
	json_object(j, which);
	json_string(j, "directory", directory);
	json_int(j, "duration", t->duration);
	json_close(j);
}

static void changes_json(const struct request *r, const struct trace *a, const struct trace *b,
			 const struct changes *c)
{
	struct json j = json_begin(r->out, 3);

	json_object(&j, NULL);
	run_json(&j, "before", r->directories[0], a);
	run_json(&j, "after", r->directories[1], b);
	json_array(&j, "changes");
	for (size_t i = 0; i < c->all.n; i++)
		change_json(&j, &c->all.at[i]);
	json_close(&j);
	json_close(&j);
}

static void changes_print(const struct request *r, const struct trace *a, const struct trace *b,
			  const struct changes *c)
{
	if (r->format == FORMAT_CSV) {
		changes_csv(r->out, c);
	} else if (r->format == FORMAT_JSON) {
		changes_json(r, a, b, c);
	} else {
		runs_say(r->out, r, a, b);
		changes_text(r->out, c);
	}
}

/* ---- all ---- */

/* An interval that only one of the specifications has is new, or gone, and that is told. */
static void only_in_one_warn(struct request *r, unsigned lacks, const struct interval *interval)
{
	diag_warning(&r->diag, "only-in-one", DIAG_NOWHERE,
		     "%s: there is no interval %s; compare with -s FILE to use one specification "
		     "for both",
		     r->directories[lacks], interval->name);
}

static void intervals_compare(struct request *r, struct trace *a, struct trace *b,
			      const struct interval **chosen, struct changes *c)
{
	for (; *chosen; chosen++) {
		const struct interval *other = spec_interval(b->spec, (*chosen)->name);

		if (!other)
			only_in_one_warn(r, 1, *chosen);
		diff_interval(c, a, b, *chosen, other);
	}
	for (unsigned i = 0; i < b->spec->nintervals; i++) {
		const struct interval *other = b->spec->intervals[i];

		if (!interval_is_chosen(other) || spec_interval(a->spec, other->name))
			continue;
		only_in_one_warn(r, 0, other);
		diff_interval(c, a, b, NULL, other);
	}
}

static int diff_report(struct request *r, struct trace *a, struct trace *b)
{
	static void (*const compare[NDIFF_TABLES])(struct changes *, struct trace *, struct trace *) = {
	    NULL, diff_functions, diff_threads, diff_locks, diff_memory};
	const struct interval **chosen = intervals_chosen_of_two(a, b->spec, &r->diag);
	struct changes c = {0};
	int status = EXIT_FINE;

	if (!chosen)
		return EXIT_ERROR;
	diff_floor(&c, a, b);
	if (is_wanted(DIFF_INTERVALS))
		intervals_compare(r, a, b, chosen, &c);
	for (enum diff_table table = DIFF_FUNCTIONS; table < NDIFF_TABLES; table++)
		if (is_wanted(table))
			compare[table](&c, a, b);
	changes_sort(&c);
	changes_print(r, a, b, &c);
	for (size_t i = 0; i < c.all.n; i++)
		if (change_exceeds(&c.all.at[i], wanted.fail_above))
			status = EXIT_NO;
	changes_free(&c);
	free(chosen);
	return status;
}

static int diff_run(struct request *r)
{
	struct trace *a, *b;
	int status = EXIT_ERROR;

	if (r->ndirectories != 2)
		usage_fail("give two log directories to compare");
	a = start_names_add(trace_open(&r->directories[0], 1, r->spec, &r->diag));
	b = start_names_add(trace_open(&r->directories[1], 1, r->spec, &r->diag));
	if (a && b)
		status = diff_report(r, a, b);
	trace_close(a);
	trace_close(b);
	return status;
}

static const struct choice options[] = {
    {0, "show", "TABLE",
     "only this: intervals, functions, threads, locks or memory (repeatable)", take_show},
    {'i', "interval", "INTERVAL", "only this interval, or those of a pattern such as '*Wait'\n"
     "(repeatable)", take_interval},
    {'f', "fail-above", "PERCENT", "exit 1 when something grew by more", take_fail_above},
    {'a', "all", NULL, "also what is noise or small", take_all},
    TOP_OPTION("20"),
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_diff = {
    .name = "diff",
    .compares = true,
    .summary = "what changed from one run to another",
    .teaches =
	"Compares two runs: intervals, and what glimpse profile, threads, locks and memory print,\n"
	"as far as both were recorded. Rows are compared by name. What changed most stands first, as\n"
	"a factor; left out are changes that chance makes (p >= 0.01) and those too small to matter:\n"
	"less than 0.1 % of the longer run's time, 64 KiB, or 10 in number.\n"
	"Each number is tested by itself: counts as numbers of independent events, means by Welch's\n"
	"t-test, medians by the rank-sum test of Mann and Whitney, p99 by how many of each run are\n"
	"beyond that of both; a total changes when number or mean do. With --fail-above the exit status\n"
	"is 1 when any of them grew by more than that, and neither by chance nor by little.\n",
    .examples = "  glimpse diff run1 run2\n"
		"  glimpse diff run1 run2 --show locks --all\n"
		"  glimpse diff run1 run2 --interval Transit --fail-above 5%\n"
		"  glimpse diff run1 run2 --format=csv\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = diff_run,
};
