#include "analysis/diff/diff.h"
#include "analysis/diff/change_text.h"
#include "base/units.h"
#include "base/visible.h"
#include "cli/common/command.h"
#include "cli/common/fields.h"
#include "cli/common/intervals.h"
#include "cli/common/lost.h"
#include "cli/common/table.h"
#include "cli/common/top.h"
#include "match/stats/run_test.h"
#include "trace/symbols/start_names.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 20, NAME_SHOWN = 120, RUNS_MOST = 100, RANGE_TEXT = 2 * UNITS_TEXT + 8 };

static struct {
	double fail_above;
	unsigned shows; /* bits of enum diff_table; 0: all */
	bool intervals; /* some were named */
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
		usage_fail("--fail-above: '%s' is not a percentage such as 5%%", value);
	wanted.fail_above = share / 100;
}

static void take_show(const char *name)
{
	wanted.shows |= 1u << usage_choice("--show", "table", show_names, NDIFF_TABLES, name);
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

static const char *verdict_text(char text[UNITS_TEXT], const struct change *c)
{
	if (!change_exceeds(c, wanted.fail_above))
		return change_verdict_word(c);
	snprintf(text, UNITS_TEXT, "%s: above the limit", change_verdict_word(c));
	return text;
}

/* "+10.1 ms": a difference, with its sign. */
static void signed_print(char *text, size_t size, enum diff_unit unit, double value)
{
	char plain[UNITS_TEXT];

	snprintf(text, size, "%s%s", value < 0 ? "-" : "+",
		 change_value_text(plain, unit, fabs(value)));
}

/* The 95 % interval of what changed: "+10.1 ms to +12.4 ms". */
static const char *range_text(char text[RANGE_TEXT], const struct change *c)
{
	char low[UNITS_TEXT + 1], high[UNITS_TEXT + 1];

	if (!c->estimated)
		return "-";
	signed_print(low, sizeof low, c->unit, c->low);
	signed_print(high, sizeof high, c->unit, c->high);
	snprintf(text, RANGE_TEXT, "%s to %s", low, high);
	return text;
}

/* ---- text ---- */

/* tested: a verdict is shown; ranges: and the interval. */
static void row_add(struct columns *columns, const struct change *c, bool tested, bool ranges)
{
	char cells[4][UNITS_TEXT], range[RANGE_TEXT], name[NAME_SHOWN];
	const char *texts[8];
	unsigned n = 0;

	snprintf(name, sizeof name, "%s", c->name);
	if (strlen(c->name) >= sizeof name)
		memcpy(name + sizeof name - 4, "...", 4);
	texts[n++] = diff_row_names[c->table];
	texts[n++] = c->measure;
	texts[n++] = change_value_text(cells[0], c->unit, c->before);
	texts[n++] = change_value_text(cells[1], c->unit, c->after);
	if (ranges)
		texts[n++] = range_text(range, c);
	texts[n++] = change_factor_text(cells[2], c);
	if (tested)
		texts[n++] = verdict_text(cells[3], c);
	texts[n] = name;
	columns_add(columns, texts);
}

/* Without --all: changes; if nothing can be tested, all differences that are not small. */
static size_t shown_count(const struct diff_changes *c)
{
	enum change_verdict least =
	    diff_runs_suffice(c->before, c->after) ? VERDICT_LESS : VERDICT_UNTESTED;
	size_t n = 0;

	while (n < c->all.n && c->all.at[n].verdict >= least && *change_verdict_word(&c->all.at[n]))
		n++;
	return n;
}

static size_t verdict_count(const struct diff_changes *c, enum change_verdict verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < c->all.n; i++)
		n += c->all.at[i].verdict == verdict;
	return n;
}

/* A function of the recorder says nothing of the program. */
static bool is_hidden(const struct change *c)
{
	return c->recorder && !wanted.everything && !change_exceeds(c, wanted.fail_above);
}

static size_t hidden_count(const struct diff_changes *c, size_t worth)
{
	size_t n = 0;

	for (size_t i = 0; i < worth; i++)
		n += is_hidden(&c->all.at[i]);
	return n;
}

/* Says what the table leaves out; noise and the next only where differences are tested. */
static void hidden_say(FILE *out, const struct diff_changes *c, size_t hidden)
{
	bool tested = diff_runs_suffice(c->before, c->after);
	size_t noise = verdict_count(c, VERDICT_NOISE), small = verdict_count(c, VERDICT_SMALL);
	size_t untested = tested ? verdict_count(c, VERDICT_UNTESTED) : 0;
	const char *mark = "not shown: ";
	char time[UNITS_TEXT], bytes[UNITS_TEXT];

	if (noise + small + untested + hidden == 0)
		return;
	if (noise) {
		fprintf(out, "%s%zu noise (p >= %g)", mark, noise, DIFF_LIMIT);
		mark = ", ";
	}
	if (untested) {
		fprintf(out, "%s%zu without a value in some run", mark, untested);
		mark = ", ";
	}
	if (hidden) {
		fprintf(out, "%s%zu of the recorder's own functions", mark, hidden);
		mark = ", ";
	}
	if (small)
		fprintf(out, "%s%zu too small (less than %s, %s, or a count of %d)", mark, small,
			units_time(time, c->floor[DIFF_TIME]),
			units_bytes(bytes, (uint64_t)c->floor[DIFF_BYTES]),
			(int)c->floor[DIFF_COUNT]);
	fputs("; --all shows them\n", out);
}

static void rest_say(FILE *out, const struct diff_changes *c, size_t shown, size_t worth,
		     size_t hidden)
{
	if (shown < worth)
		fprintf(out, "and %zu more with smaller factors: --top all\n", worth - shown);
	if (!worth)
		fprintf(out, "no %s found\n",
			diff_runs_suffice(c->before, c->after) ? "change" : "difference");
	hidden_say(out, c, hidden);
}

/* Returns the mean duration of n runs. */
static double side_say(FILE *out, const char *const *directories, struct trace *const *runs,
		       unsigned n)
{
	double sum = 0;
	char text[UNITS_TEXT];

	for (unsigned i = 0; i < n; i++) {
		sum += (double)runs[i]->duration;
		fputs(i ? " " : "", out);
		visible_puts(out, directories[i]);
	}
	fprintf(out, " %s%s", units_time(text, sum / n), n > 1 ? " on average" : "");
	return sum / n;
}

static void runs_say(FILE *out, const struct command_request *r, struct diff_runs runs,
		     const struct diff_changes *c)
{
	double before = side_say(out, r->directories, runs.at, c->before), after;

	fputs(", ", out);
	after = side_say(out, r->directories + c->before, runs.at + c->before, c->after);
	if (before > 0)
		fprintf(out, ": %.2f x", after / before);
	fputs("\n\n", out);
}

/* What the table below can tell, and what it cannot. */
static void test_say(FILE *out, const struct diff_changes *c)
{
	double reach = run_test_reach(c->before, c->after);
	char measures[UNITS_TEXT];

	if (diff_runs_suffice(c->before, c->after)) {
		fprintf(
		    out,
		    "A change has p < %g, corrected for %s; %u and %u runs can reach p = %.2g.\n\n",
		    DIFF_LIMIT, units_counted(measures, c->tested, "measure", "measures"),
		    c->before, c->after, reach);
		return;
	}
	if (c->before == 1 && c->after == 1)
		fputs("One run of each cannot tell a change from noise. ", out);
	else
		fprintf(
		    out,
		    "Too few runs to tell a change from noise: %u and %u can reach p = %.2g, not p < %g.\n",
		    c->before, c->after, reach, DIFF_LIMIT);
	fprintf(out,
		"The differences are not tested.\n"
		"Record several runs of each: 4 and 4 can reach p = %.2g, 5 and 5 p = %.2g; "
		"glimpse diff OLD... -- NEW...\n\n",
		run_test_reach(4, 4), run_test_reach(5, 5));
}

/* Returns those of the first changes that are not hidden; to be freed. */
static const struct change **rows_shown(const struct diff_changes *c, size_t all)
{
	const struct change **rows = array_new(all + 1, sizeof *rows);
	size_t n = 0;

	for (size_t i = 0; i < all; i++)
		if (!is_hidden(&c->all.at[i]))
			rows[n++] = &c->all.at[i];
	return rows;
}

static void changes_text(FILE *out, const struct diff_changes *c)
{
	bool tested = diff_runs_suffice(c->before, c->after), ranges = false;
	size_t all = wanted.everything ? c->all.n : shown_count(c), hidden = hidden_count(c, all);
	size_t worth = all - hidden, n = wanted.everything ? all : top_rows(worth, ROWS_SHOWN);
	const struct change **rows = rows_shown(c, all);
	const char *heads[8] = {"kind", "measure", "before", "after"};
	struct columns columns = {.count = 4, .left = 2, .last_left = true};

	for (size_t i = 0; i < n; i++)
		ranges |= tested && rows[i]->estimated;
	if (ranges)
		heads[columns.count++] = "95% interval";
	heads[columns.count++] = "factor";
	if (tested)
		heads[columns.count++] = "verdict";
	heads[columns.count++] = "name";
	if (n)
		columns_add(&columns, heads);
	for (size_t i = 0; i < n; i++)
		row_add(&columns, rows[i], tested, ranges);
	if (n)
		columns_print(&columns, out);
	if (!wanted.everything)
		rest_say(out, c, n, worth, hidden);
	free(rows);
}

/* ---- csv and json ---- */

enum { CHANGE_FIELDS = 12 };
static const struct field
    change_fields[CHANGE_FIELDS] =
	{
	    {"table", 1},       {"name", 2},       {"measure", 3},
	    {"before", 4},      {"after", 5},      {"factor", 6},
	    {"p", 7},           {"verdict", 8}, /* csv has the limit in it, JSON has it by itself */
	    {"verdict", 0},     {"change_low", 9}, {"change_high", 10},
	    {"above_limit", 0},
};

/* j NULL: as csv */
static void changes_rows(FILE *out, struct json *j, const struct diff_changes *c)
{
	struct field_rows rows = {.fields = change_fields, .n = CHANGE_FIELDS};
	char text[UNITS_TEXT];

	fields_begin(&rows, out, j);
	for (size_t i = 0; i < c->all.n; i++) {
		const struct change *x = &c->all.at[i];

		fields_row(&rows, (struct table_cell[CHANGE_FIELDS]){
				      cell_text(diff_row_names[x->table]),
				      cell_text(x->name),
				      cell_text(x->measure),
				      cell_rounded(x->before, "%.15g"),
				      cell_rounded(x->after, "%.15g"),
				      cell_rounded(change_factor(x), "%.6f"),
				      cell_rounded(x->p, "%.3g"),
				      cell_only_csv(cell_text(verdict_text(text, x))),
				      cell_text(change_verdict_word(x)),
				      cell_rounded(x->estimated ? x->low : NAN, "%.15g"),
				      cell_rounded(x->estimated ? x->high : NAN, "%.15g"),
				      cell_bool(change_exceeds(x, wanted.fail_above)),
				  });
	}
}

static void run_json(struct json *j, const char *which, const char *directory,
		     const struct trace *t)
{
	struct losses losses = losses_of(t);

	json_object(j, which);
	json_string(j, "directory", directory);
	json_int(j, "duration", t->duration);
	losses_json(j, &losses);
	json_close(j);
}

/* The first run of a side; in an array the others. */
static void side_json(struct json *j, const char *which, const char *further,
		      const char *const *directories, struct trace *const *runs, unsigned n)
{
	run_json(j, which, directories[0], runs[0]);
	if (n == 1)
		return;
	json_array(j, further);
	for (unsigned i = 1; i < n; i++)
		run_json(j, NULL, directories[i], runs[i]);
	json_close(j);
}

static void changes_json(const struct command_request *r, struct diff_runs runs,
			 const struct diff_changes *c)
{
	struct json j = json_begin(r->out, 3);

	json_object(&j, NULL);
	side_json(&j, "before", "before_further", r->directories, runs.at, c->before);
	side_json(&j, "after", "after_further", r->directories + c->before, runs.at + c->before,
		  c->after);
	json_bool(&j, "tested", diff_runs_suffice(c->before, c->after));
	json_real(&j, "p_limit", DIFF_LIMIT);
	json_real(&j, "p_reach", run_test_reach(c->before, c->after));
	json_array(&j, "changes");
	changes_rows(r->out, &j, c);
	json_close(&j);
	json_close(&j);
}

static void changes_print(const struct command_request *r, struct diff_runs runs,
			  const struct diff_changes *c)
{
	if (r->format == FORMAT_CSV) {
		changes_rows(r->out, NULL, c);
	} else if (r->format == FORMAT_JSON) {
		changes_json(r, runs, c);
	} else {
		runs_say(r->out, r, runs, c);
		test_say(r->out, c);
		changes_text(r->out, c);
	}
}

/* ---- all ---- */

/* An interval that some specification lacks counts as one without instances there. */
static void lacks_warn(struct command_request *r, struct diff_runs runs,
		       const struct interval *interval)
{
	for (unsigned i = 0; i < runs.n; i++)
		if (!spec_interval(runs.at[i]->spec, interval->name)) {
			diag_warning(&r->diag, "only-in-one", DIAG_NOWHERE,
				     "%s: there is no interval %s; compare with -s FILE to use one "
				     "specification for all runs",
				     r->directories[i], interval->name);
			return;
		}
}

/* Warns of each name once: where the first run that has it comes by. */
static void lacking_warn(struct command_request *r, struct diff_runs runs,
			 const struct interval ***chosen)
{
	for (unsigned run = 0; run < runs.n; run++)
		for (const struct interval **i = chosen[run]; *i; i++) {
			unsigned first = 0;

			while (!spec_interval(runs.at[first]->spec, (*i)->name))
				first++;
			if (first == run)
				lacks_warn(r, runs, *i);
		}
}

static bool tables_compare(struct command_request *r, struct diff_runs runs, struct diff_changes *c)
{
	static void (*const compare[NDIFF_TABLES])(struct diff_changes *, struct diff_runs) = {
	    NULL, diff_functions, diff_threads, diff_locks, diff_memory};
	const struct interval ***chosen = intervals_chosen_of(runs.at, runs.n, &r->diag);

	if (!chosen)
		return false;
	if (is_wanted(DIFF_INTERVALS)) {
		lacking_warn(r, runs, chosen);
		diff_intervals(c, runs, (const struct interval **const *)chosen);
	}
	for (enum diff_table table = DIFF_INTERVALS + 1; table < NDIFF_TABLES; table++)
		if (is_wanted(table))
			compare[table](c, runs);
	intervals_free(chosen, runs.n);
	return true;
}

static int diff_report(struct command_request *r, struct diff_runs runs, unsigned before)
{
	struct diff_changes c = {.before = before, .after = runs.n - before};
	int status = EXIT_FINE;

	for (unsigned i = 0; i < runs.n; i++)
		lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, runs.at[i],
			    r->directories[i]);
	diff_floor(&c, runs);
	if (!tables_compare(r, runs, &c))
		return EXIT_ERROR;
	changes_judge(&c);
	changes_print(r, runs, &c);
	for (size_t i = 0; i < c.all.n; i++)
		if (change_exceeds(&c.all.at[i], wanted.fail_above))
			status = EXIT_NO;
	changes_free(&c);
	return status;
}

/* Returns how many of the directories are runs before the change. */
static unsigned before_count(const struct command_request *r)
{
	unsigned n = r->ndirectories, before = r->nfirst;

	if (n < 2)
		usage_fail(
		    "give two log directories to compare, or several of each: OLD... -- NEW...");
	if (n > RUNS_MOST)
		usage_fail("give at most %d log directories", RUNS_MOST);
	if (before == 0 || before == n) {
		if (n > 2)
			usage_fail(
			    "%u log directories: put -- between the runs before and the runs after "
			    "the change",
			    n);
		before = 1;
	}
	if (isfinite(wanted.fail_above) && !diff_runs_suffice(before, n - before))
		usage_fail(
		    "--fail-above needs enough runs for a test, such as 4 before and 4 after "
		    "the change; %u and %u cannot tell a change from noise",
		    before, n - before);
	return before;
}

static int diff_run(struct command_request *r)
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
		status = diff_report(r, (struct diff_runs){runs, n}, before);
	for (unsigned i = 0; i < n; i++)
		trace_close(runs[i]);
	return status;
}

static const struct choice options[] = {
    {0, "show", "TABLE",
     "compare only this: intervals, functions, threads, locks or memory\n(repeatable)", take_show},
    {'i', "interval", "INTERVAL",
     "only this interval, or all that match a pattern such as\n"
     "'*Wait' (repeatable)",
     take_interval},
    {'f', "fail-above", "PERCENT", "exit 1 if a measure changed and grew by more", take_fail_above},
    {'a', "all", NULL, "also print measures that are equal, noise or small", take_all},
    TOP_OPTION("20"),
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_diff = {
    .name = "diff",
    .compares = true,
    .summary = "what changed between runs, tested against noise",
    .teaches =
	"Compares runs before a change with runs after it: intervals, and the tables of glimpse profile,\n"
	"threads, locks and memory, as far as the runs recorded them. Rows are matched by name.\n"
	"Each run has one value of each measure. A permutation test compares the values of the two\n"
	"groups of runs; p is corrected for the number of measures. A change has p < 0.05. The largest\n"
	"factor comes first. Differences below 0.1 % of the longest run, 64 KiB, or a count of 10 are\n"
	"too small to matter.\n"
	"The test needs enough runs: 3 and 3 reach p = 0.1 at best, 4 and 4 reach 0.029, 5 and 5\n"
	"0.0079. With too few runs, such as one of each, the differences are listed but not tested.\n"
	"With --fail-above the exit status is 1 if a measure changed and grew by more than that.\n"
	"Sampled functions are compared by their CPU time without callees (cpu_total) and with\n"
	"callees (all_total).\n",
    .examples = "  glimpse diff run1 run2\n"
		"  glimpse diff old1 old2 old3 old4 old5 -- new1 new2 new3 new4 new5\n"
		"  glimpse diff run1 run2 --show locks --all\n"
		"  glimpse diff --interval Transit --fail-above 5% old? -- new?\n"
		"  glimpse diff run1 run2 --format=csv\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = diff_run,
};
