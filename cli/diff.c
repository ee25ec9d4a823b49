#include "base/array.h"
#include "cli/diff_print.h"
#include "cli/intervals.h"
#include "match/stats/diff.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static size_t compare(struct request *r, struct trace *a, struct trace *b,
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

static int report(struct request *r, struct trace *a, struct trace *b)
{
	const struct interval **chosen = chosen_intervals(a, &r->diag);
	struct diff *diffs;
	int status = EXIT_FINE;
	size_t n;

	if (!chosen)
		return EXIT_ERROR;
	diffs = array_new(a->spec->nintervals, sizeof *diffs);
	n = compare(r, a, b, chosen, diffs);
	diff_print(r->out, r->format, diffs, n, fail_above);
	for (size_t i = 0; i < n; i++)
		for (enum measure m = 0; m < NMEASURES; m++)
			if (diff_exceeds(&diffs[i], m, fail_above))
				status = EXIT_NO;
	free(diffs);
	free(chosen);
	return status;
}

static int run(struct request *r)
{
	struct trace *a, *b;
	int status = EXIT_ERROR;

	if (r->ndirectories != 2)
		usage_fail("give two log directories to compare");
	a = trace_open(&r->directories[0], 1, r->spec, &r->diag);
	b = trace_open(&r->directories[1], 1, r->spec, &r->diag);
	if (a && b)
		status = report(r, a, b);
	trace_close(a);
	trace_close(b);
	return status;
}

static const struct choice options[] = {
    CHOSEN_OPTION,
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
    .run = run,
};
