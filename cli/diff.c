#include "base/array.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/intervals.h"
#include "cli/table.h"
#include "match/stats/diff.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const measure_names[NMEASURES] = {"count", "mean", "p50", "p99", "total",
					      "unmatched"};

static bool is_count(enum measure m)
{
	return m == MEASURE_COUNT || m == MEASURE_UNMATCHED;
}

static const char *value_cell(char text[UNITS_TEXT], enum measure m, double value)
{
	if (isnan(value))
		return "-";
	if (is_count(m))
		return units_count(text, (uint64_t)value);
	return units_time(text, value);
}

static const char *change_cell(char text[UNITS_TEXT], double change)
{
	if (isnan(change))
		return "-";
	snprintf(text, UNITS_TEXT, "%+.1f %%", change * 100);
	return text;
}

static const char *verdict_cell(const struct diff *d, enum measure m, double fail_above)
{
	if (isnan(d->values[m][0]) || isnan(d->values[m][1]))
		return "";
	if (diff_is_noise(d, m))
		return "noise";
	if (!diff_exceeds(d, m, fail_above))
		return "more than noise";
	return is_count(m) || m == MEASURE_TOTAL ? "more: above the limit"
						 : "slower: above the limit";
}

static void diff_text(FILE *out, const struct diff *diffs, size_t n, double fail_above)
{
	static const char *const head[] = {"interval", "", "before", "after", "change", "verdict"};
	struct columns columns = {.count = 6, .left = 2};

	columns_add(&columns, head);
	for (size_t i = 0; i < n; i++)
		for (enum measure m = 0; m < NMEASURES; m++) {
			char a[UNITS_TEXT], b[UNITS_TEXT], change[UNITS_TEXT];
			const char *row[] = {
			    m == 0 ? diffs[i].interval->name : "",
			    measure_names[m],
			    value_cell(a, m, diffs[i].values[m][0]),
			    value_cell(b, m, diffs[i].values[m][1]),
			    change_cell(change, diff_change(&diffs[i], m)),
			    verdict_cell(&diffs[i], m, fail_above),
			};

			columns_add(&columns, row);
		}
	columns_print(&columns, out);
}

/* Empty where there is no number. */
static void diff_csv_number(FILE *out, double number, const char *format)
{
	putc(',', out);
	if (!isnan(number))
		fprintf(out, format, number);
}

static void diff_csv(FILE *out, const struct diff *diffs, size_t n)
{
	fputs("interval,measure,before,after,change,p\n", out);
	for (size_t i = 0; i < n; i++)
		for (enum measure m = 0; m < NMEASURES; m++) {
			const struct diff *d = &diffs[i];

			fprintf(out, "%s,%s", d->interval->name, measure_names[m]);
			diff_csv_number(out, d->values[m][0], "%.15g");
			diff_csv_number(out, d->values[m][1], "%.15g");
			diff_csv_number(out, diff_change(d, m), "%.6f");
			diff_csv_number(out, d->p[m], "%.3g");
			putc('\n', out);
		}
}

static void diff_json(struct json *j, const struct diff *d)
{
	json_object(j, NULL);
	json_string(j, "interval", d->interval->name);
	for (enum measure m = 0; m < NMEASURES; m++) {
		json_object(j, measure_names[m]);
		json_real(j, "before", d->values[m][0]);
		json_real(j, "after", d->values[m][1]);
		json_real(j, "change", diff_change(d, m));
		json_real(j, "p", d->p[m]);
		json_close(j);
	}
	json_real(j, "p", d->test.p);
	json_real(j, "greater", d->test.greater);
	json_close(j);
}

static void diff_print(FILE *out, enum format format, const struct diff *diffs, size_t n,
		       double fail_above)
{
	if (format == FORMAT_CSV) {
		diff_csv(out, diffs, n);
	} else if (format == FORMAT_JSON) {
		struct json j = json_begin(out, 2);

		json_array(&j, NULL);
		for (size_t i = 0; i < n; i++)
			diff_json(&j, &diffs[i]);
		json_close(&j);
	} else {
		diff_text(out, diffs, n, fail_above);
	}
}

static double fail_above = INFINITY;

static void take_fail_above(const char *value)
{
	char *end;
	double share = strtod(value, &end);

	if (end == value || strcmp(end, "%") != 0 || !(share >= 0))
		usage_fail("--fail-above needs a percentage, such as 5%%");
	fail_above = share / 100;
}

/* The intervals that both runs have, in the order of the first; the others are told. */
static size_t diff_intervals(struct request *r, struct trace *a, struct trace *b,
			     const struct interval **chosen, struct diff *diffs)
{
	size_t n = 0;

	for (; *chosen; chosen++) {
		const struct interval *other = spec_interval(b->spec, (*chosen)->name);

		if (other)
			diffs[n++] = diff_of(a, b, *chosen, other);
		else
			diag_warning(&r->diag, "only-in-one", DIAG_NOWHERE,
				     "%s: there is no interval %s; compare with -s FILE to use one "
				     "specification for both",
				     r->directories[1], (*chosen)->name);
	}
	return n;
}

static int diff_report(struct request *r, struct trace *a, struct trace *b)
{
	const struct interval **chosen = intervals_chosen(a, &r->diag);
	struct diff *diffs;
	int status = EXIT_FINE;
	size_t n;

	if (!chosen)
		return EXIT_ERROR;
	diffs = array_new(a->spec->nintervals, sizeof *diffs);
	n = diff_intervals(r, a, b, chosen, diffs);
	diff_print(r->out, r->format, diffs, n, fail_above);
	for (size_t i = 0; i < n; i++)
		for (enum measure m = 0; m < NMEASURES; m++)
			if (diff_exceeds(&diffs[i], m, fail_above))
				status = EXIT_NO;
	free(diffs);
	free(chosen);
	return status;
}

static int diff_run(struct request *r)
{
	struct trace *a, *b;
	int status = EXIT_ERROR;

	if (r->ndirectories != 2)
		usage_fail("give two log directories to compare");
	a = trace_open(&r->directories[0], 1, r->spec, &r->diag);
	b = trace_open(&r->directories[1], 1, r->spec, &r->diag);
	if (a && b)
		status = diff_report(r, a, b);
	trace_close(a);
	trace_close(b);
	return status;
}

static const struct choice options[] = {
    INTERVAL_OPTION,
    {'f', "fail-above", "PERCENT", "exit 1 when a value of an interval grew by more",
     take_fail_above},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_diff = {
    .name = "diff",
    .summary = "what changed from one run to another",
    .teaches =
	"Prints for each interval how its count, its durations, their total and the number of\n"
	"unmatched events changed, and whether by more than chance (p < 0.01): durations are compared\n"
	"by the rank-sum test of Mann and Whitney, counts as numbers of independent events, a total\n"
	"changes when the count or the durations do. With --fail-above the exit status is 1 when any\n"
	"of them grew by more than that, and not by chance.\n",
    .examples = "  glimpse diff run1 run2\n"
		"  glimpse diff run1 run2 --interval Transit --fail-above 5%\n"
		"  glimpse diff run1 run2 --format=csv\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = diff_run,
};
