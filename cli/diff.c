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

enum { ROWS_SHOWN = 20, NAME_SHOWN = 120, RUNS_MOST = 100, RANGE_TEXT = 2 * UNITS_TEXT + 16 };

static struct {
	double fail_above;
	unsigned shows;         /* bits of enum diff_table; 0: all */
	bool intervals;         /* some were named */
	bool everything;
	unsigned before;        /* directories of runs before the change; 0: half of them */
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

static void take_before(const char *value)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (end == value || *end || n < 1 || n > RUNS_MOST)
		usage_fail("--before needs a number of directories, such as 3");
	wanted.before = (unsigned)n;
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

/* The 95 % interval of what changed: "+10.1 ms to +12.4 ms". */
static const char *range_text(char text[RANGE_TEXT], const struct change *c)
{
	char low[UNITS_TEXT], high[UNITS_TEXT];

	if (!c->estimated)
		return "-";
	units_time(low, c->low);
	units_time(high, c->high);
	snprintf(text, RANGE_TEXT, "%s%s to %s%s", c->low > 0 ? "+" : "", low, c->high > 0 ? "+" : "", high);
	return text;
}

/* ---- text ---- */

static void row_add(struct columns *columns, const struct change *c, bool ranges)
{
	char cells[4][UNITS_TEXT], range[RANGE_TEXT], name[NAME_SHOWN];
	const char *texts[8];
	unsigned n = 0;

	snprintf(name, sizeof name, "%s", c->name);
	if (strlen(c->name) >= sizeof name)
		memcpy(name + sizeof name - 4, "...", 4);
	texts[n++] = diff_row_names[c->table];
	texts[n++] = c->measure;
	texts[n++] = value_text(cells[0], c->unit, c->before);
	texts[n++] = value_text(cells[1], c->unit, c->after);
	if (ranges)
		texts[n++] = range_text(range, c);
	texts[n++] = factor_text(cells[2], c);
	texts[n++] = verdict_text(cells[3], c);
	texts[n] = name;
	columns_add(columns, texts);
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

/* Returns how long runs took in the mean. */
static double side_say(FILE *out, const char *const *directories, struct diff_runs runs)
{
	double sum = 0;
	char text[UNITS_TEXT];

	for (unsigned i = 0; i < runs.n; i++) {
		sum += (double)runs.at[i]->duration;
		fputs(i ? " " : "", out);
		visible_puts(out, directories[i]);
	}
	fprintf(out, " %s%s", units_time(text, sum / runs.n), runs.n > 1 ? " in the mean" : "");
	return sum / runs.n;
}

static void runs_say(FILE *out, const struct request *r, struct diff_runs a, struct diff_runs b)
{
	double before = side_say(out, r->directories, a), after;

	fputs(", ", out);
	after = side_say(out, r->directories + a.n, b);
	if (before > 0)
		fprintf(out, ": %.2f x", after / before);
	fputs("\n\n", out);
}

static void changes_text(FILE *out, const struct changes *c)
{
	static const char *const heads[2][8] = {
	    {"", "measure", "before", "after", "factor", "verdict", "of"},
	    {"", "measure", "before", "after", "95% of the change", "factor", "verdict", "of"}};
	size_t changed = changed_count(c);
	size_t n = wanted.everything ? c->all.n : top_rows(changed, ROWS_SHOWN);
	bool ranges = false;
	struct columns columns;

	for (size_t i = 0; i < n; i++)
		ranges |= c->all.at[i].estimated;
	columns = (struct columns){.count = 7 + ranges, .left = 2, .last_left = true};
	if (n)
		columns_add(&columns, heads[ranges]);
	for (size_t i = 0; i < n; i++)
		row_add(&columns, &c->all.at[i], ranges);
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

	fputs("table,name,measure,before,after,factor,p,verdict,change_low,change_high\n", out);
	for (size_t i = 0; i < c->all.n; i++) {
		const struct change *x = &c->all.at[i];

		fprintf(out, "%s,", diff_row_names[x->table]);
		csv_write_field(out, x->name);
		fprintf(out, ",%s", x->measure);
		csv_number(out, x->before, "%.15g");
		csv_number(out, x->after, "%.15g");
		csv_number(out, change_factor(x), "%.6f");
		csv_number(out, x->p, "%.3g");
		fprintf(out, ",%s", verdict_text(text, x));
		csv_number(out, x->estimated ? x->low : NAN, "%.15g");
		csv_number(out, x->estimated ? x->high : NAN, "%.15g");
		putc('\n', out);
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
	json_real(j, "change_low", c->estimated ? c->low : NAN);
	json_real(j, "change_high", c->estimated ? c->high : NAN);
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

/* The first run of a side, as where there is no other; and those after it. */
static void side_json(struct json *j, const char *which, const char *further, const char *const *directories,
		      struct diff_runs runs)
{
	run_json(j, which, directories[0], runs.at[0]);
	if (runs.n == 1)
		return;
	json_array(j, further);
	for (unsigned i = 1; i < runs.n; i++)
		run_json(j, NULL, directories[i], runs.at[i]);
	json_close(j);
}

static void changes_json(const struct request *r, struct diff_runs a, struct diff_runs b,
			 const struct changes *c)
{
	struct json j = json_begin(r->out, 3);

	json_object(&j, NULL);
	side_json(&j, "before", "before_further", r->directories, a);
	side_json(&j, "after", "after_further", r->directories + a.n, b);
	json_array(&j, "changes");
	for (size_t i = 0; i < c->all.n; i++)
		change_json(&j, &c->all.at[i]);
	json_close(&j);
	json_close(&j);
}

static void changes_print(const struct request *r, struct diff_runs a, struct diff_runs b,
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

static bool tables_compare(struct request *r, struct trace *a, struct trace *b, struct changes *c)
{
	static void (*const compare[NDIFF_TABLES])(struct changes *, struct trace *, struct trace *) = {
	    NULL, NULL, diff_threads, diff_locks, diff_memory};
	const struct interval **chosen = intervals_chosen_of_two(a, b->spec, &r->diag);

	if (!chosen)
		return false;
	if (is_wanted(DIFF_INTERVALS))
		intervals_compare(r, a, b, chosen, c);
	for (enum diff_table table = DIFF_THREADS; table < NDIFF_TABLES; table++)
		if (is_wanted(table))
			compare[table](c, a, b);
	free(chosen);
	return true;
}

/* Of several runs a side functions alone are compared. */
static int diff_report(struct request *r, struct diff_runs before, struct diff_runs after)
{
	struct trace *a = before.at[0], *b = after.at[0];
	struct changes c = {0};
	int status = EXIT_FINE;

	diff_floor(&c, a, b);
	if (before.n + after.n == 2 && !tables_compare(r, a, b, &c))
		return EXIT_ERROR;
	if (is_wanted(DIFF_FUNCTIONS))
		diff_functions(&c, before, after);
	changes_sort(&c);
	changes_print(r, before, after, &c);
	for (size_t i = 0; i < c.all.n; i++)
		if (change_exceeds(&c.all.at[i], wanted.fail_above))
			status = EXIT_NO;
	changes_free(&c);
	return status;
}

/* Returns how many of the directories are runs before the change. */
static unsigned before_count(const struct request *r)
{
	unsigned n = r->ndirectories, before = wanted.before ? wanted.before : n / 2;

	if (n < 2)
		usage_fail("give two log directories to compare, or several of each side");
	if (n > RUNS_MOST)
		usage_fail("give at most %d log directories", RUNS_MOST);
	if (!wanted.before && n % 2)
		usage_fail("of %u log directories --before N says how many are runs before the change", n);
	if (before >= n)
		usage_fail("--before %u leaves no run after the change", before);
	if (n > 2 && (wanted.intervals || (wanted.shows && wanted.shows != 1u << DIFF_FUNCTIONS)))
		usage_fail("several runs of a side are compared by functions alone");
	return before;
}

static int diff_run(struct request *r)
{
	struct trace *runs[RUNS_MOST] = {0};
	unsigned before = before_count(r), n = r->ndirectories;
	int status = EXIT_ERROR;
	bool opened = true;

	for (unsigned i = 0; i < n; i++) {
		runs[i] = start_names_add(trace_open(&r->directories[i], 1, r->spec, &r->diag));
		opened &= runs[i] != NULL;
	}
	if (opened)
		status = diff_report(r, (struct diff_runs){runs, before},
				     (struct diff_runs){runs + before, n - before});
	for (unsigned i = 0; i < n; i++)
		trace_close(runs[i]);
	return status;
}

static const struct choice options[] = {
    {0, "show", "TABLE",
     "only this: intervals, functions, threads, locks or memory (repeatable)", take_show},
    {'i', "interval", "INTERVAL", "only this interval, or those of a pattern such as '*Wait'\n"
     "(repeatable)", take_interval},
    {0, "before", "N", "the first N directories are runs before the change (half of them)", take_before},
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
	"is 1 when any of them grew by more than that, and neither by chance nor by little.\n"
	"Functions from samples are compared by CPU time of their own (cpu_total) and with what they\n"
	"call (all_total), with the 95 % interval of the change: by the number of their samples, and by\n"
	"a spread of 3 % from run to run, or that of the runs of one side if it is greater: give several\n"
	"of each side. p is multiplied by the number of functions, as each of them might differ.\n",
    .examples = "  glimpse diff run1 run2\n"
		"  glimpse diff run1 run2 --show locks --all\n"
		"  glimpse diff old1 old2 old3 new1 new2 new3\n"
		"  glimpse diff run1 run2 --interval Transit --fail-above 5%\n"
		"  glimpse diff run1 run2 --format=csv\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = diff_run,
};
