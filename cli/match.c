#include "base/monotonic.h"
#include "base/spill.h"
#include "base/units.h"
#include "cli/intervals.h"
#include "cli/match_print.h"
#include "match/plan/explain.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
	bool matched, unmatched, metrics, explain;
} wanted = {.matched = true};

static void take_unmatched(const char *value)
{
	if (value && strcmp(value, "only") != 0)
		usage_fail("the only value that --unmatched takes is 'only'");
	wanted.unmatched = true;
	wanted.matched = value == NULL;
}

static void take_metrics(const char *unused)
{
	(void)unused;
	wanted.metrics = true;
}

static void take_explain(const char *unused)
{
	(void)unused;
	wanted.explain = true;
}

static void print_instances(struct request *r, struct trace *t, const struct interval **intervals)
{
	struct match_printer p = {
		.out = r->out, .format = r->format, .trace = t, .matched = wanted.matched,
		.unmatched = wanted.unmatched, .metrics = wanted.metrics,
	};

	match_print_begin(&p);
	for (; *intervals && !ferror(r->out); intervals++) {
		struct matches *m = match_interval(t, *intervals);
		struct account account;

		matches_warn(m, &r->diag);
		account_of(t, m, &account);
		match_print(&p, m, &account);
		account_clear(&account);
		matches_free(m);
	}
	match_print_end(&p);
}

static void print_cost(const struct matches *m, double ns, uint64_t spilled, FILE *out)
{
	char anchors[UNITS_TEXT], partners[UNITS_TEXT], matched[UNITS_TEXT],
	    time[UNITS_TEXT], files[UNITS_TEXT];
	double n = m->count ? (double)m->count : 1;

	fprintf(out, "  %-10s %s anchors, %s partners, %s matched, in %s\n", "cost",
		units_count(anchors, m->count), units_count(partners, m->partners.count),
		units_count(matched, m->matched), units_time(time, ns));
	fprintf(out,
		"  %-10s %.3g candidates tested and %.3g places of the index visited per anchor\n",
		"", (double)m->tested / n, (double)m->visited / n);
	if (spilled)
		fprintf(out, "  %-10s %s of temporary files\n", "", units_bytes(files, spilled));
	if (m->faults)
		fprintf(out, "  %-10s %" PRIu64 " tests overflowed or divided by zero\n", "",
			m->faults);
}

/* Prints the plan of each interval, and what finding its instances cost. */
static void print_plans(struct trace *t, const struct interval **intervals, FILE *out)
{
	for (; *intervals; intervals++) {
		struct plan *plan = plan_new(*intervals);
		uint64_t spilled = spill_in_files();
		struct matches *m;
		int64_t begin;

		plan_explain(plan, out);
		begin = monotonic_now();
		m = match_interval(t, *intervals);
		print_cost(m, (double)(monotonic_now() - begin), spill_in_files() - spilled, out);
		matches_free(m);
		plan_free(plan);
	}
}

static int run(struct request *r)
{
	struct trace *t = request_open(r);
	const struct interval **intervals = t ? chosen_intervals(t, &r->diag) : NULL;

	if (wanted.explain && r->format != FORMAT_TEXT)
		usage_fail("--explain prints text only");
	if (intervals && wanted.explain)
		print_plans(t, intervals, r->out);
	else if (intervals)
		print_instances(r, t, intervals);
	free(intervals);
	trace_close(t);
	return intervals ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    CHOSEN_OPTION,
    MEMORY_OPTION,
    {'u', "unmatched", "[=only]",
     "also anchors without a partner, in their places; with =only, nothing else", take_unmatched},
    {'m', "metrics", NULL,
     "also the metrics of each instance: in csv one more column, name=value;...", take_metrics},
    {0, "explain", NULL,
     "instead of instances, how each interval is searched for and what that cost", take_explain},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_match = {
    .name = "match",
    .summary = "the instances of intervals, and anchors without a partner",
    .teaches =
	"Finds the instances of each interval of the specification and prints them, interval by\n"
	"interval, in the order of their anchors. Times in csv and json are nanoseconds since the\n"
	"trace's first event; seq counts a thread's events from 0.\n",
    .examples = "  glimpse match run1 --interval Transit --unmatched\n"
		"  glimpse match run1 --format=csv | sort -t, -k8 -n | tail   # the longest\n"
		"  glimpse match run1 -s other.spec --explain\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = run,
};
