/*
 * How long nibble takes for each kind of series of an interval, once its instances are found:
 * `series DIR SPEC [SERIES]` reads logs of bench/merge and prints rows for bench/run, of the series that contain that text.
 * The matching has a row of its own.
 */
#include "base/monotonic.h"
#include "match/join/match.h"
#include "viewers/nibble/expr/expressions.h"
#include "viewers/nibble/expr/series_check.h"
#include "viewers/nibble/plot/plot.h"
#include "viewers/nibble/series/evaluate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    "count(Next)",
    "rate(Next)",
    "open(Next)",
    "open(Next.time)",
    "parallel(Next)",
    "time(Next)",
    "mean(Next.time)",
    "p99(Next.time)",
    "max(Next.time[where a.seq % 2 == 0])",
    "busy(Next)",
    "share(Next)",
    "share(Next) per thread",
    "hist(parallel(Next))",
    "bottle(Next)",
    "unmatched(Next)",
    "hist(Next.time)",
    "cdf(Next.time)",
    "heat(Next.time)",
};

static const struct matches *instances;

static const struct matches *lend(void *lender, const struct interval *interval)
{
	(void)lender, (void)interval;
	return instances;
}

static void row(const char *name, double seconds, double target, const struct trace *t)
{
	char limit[20] = "-";

	if (target > 0)
		snprintf(limit, sizeof limit, "<=%.2g", target * (double)t->events / 1e8);
	printf("nibble, %s, s\t%.2f\t%s\t%zu instances, of %.0f million events\n", name, seconds,
	       limit, instances->matched, (double)t->events / 1e6);
	fflush(stdout);
}

/* Computes and reduces it to what is drawn, as the program does. */
static void series_draw(struct trace *t, const struct expression *x, struct diag *diag)
{
	struct plot_options options = {.range = {0, (double)t->duration}};
	struct evaluation *v = evaluation_new(t, options.range, diag);
	struct node *node = check_series(x->tree->series, t->spec, diag);
	struct family f;

	if (!node)
		exit(2);
	v->lend = lend;
	v->drawing = true;
	v->canvas = plot_canvas(&options);
	expressions_prepare(v, &node, 1);
	f = expression_evaluate(v, node, x->text);
	v->canvas.x = options.range;
	for (size_t i = 0; i < f.n; i++)
		curve_free(curve_drawn(f.at[i], &v->canvas));
	if (diag->errors)
		exit(2);
	family_free(&f);
	node_free(node);
	evaluation_free(v);
}

/* Best of three. */
static void measure(struct trace *t, const struct expression *x, struct diag *diag)
{
	double best = 1e9;
	char name[100];

	for (int i = 0; i < 3; i++) {
		double begun = monotonic_seconds();

		series_draw(t, x, diag);
		if (monotonic_seconds() - begun < best)
			best = monotonic_seconds() - begun;
	}
	snprintf(name, sizeof name, "%s, matched", x->text);
	row(name, best, 2, t);
}

static const struct interval *match(struct trace *t)
{
	const struct interval *interval = t->spec->intervals[0];
	double begun = monotonic_seconds();

	trace_announce(t, interval->anchor.event);
	trace_announce(t, interval->partner.event);
	instances = match_interval(t, interval);
	row("list and match an interval", monotonic_seconds() - begun, 0, t);
	return interval;
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "series"};
	const char *directory = argc > 1 ? argv[1] : NULL;
	struct expressions x = {0};
	struct trace *t = argc == 3 || argc == 4 ? trace_open(&directory, 1, argv[2], &diag) : NULL;

	if (!t) {
		fputs("usage: series DIR SPEC [SERIES]\n", stderr);
		return 2;
	}
	if (!expressions_take(&x, kinds, sizeof kinds / sizeof *kinds, &diag))
		return 2;
	match(t);
	for (size_t i = 0; i < x.n; i++)
		if (argc == 3 || strstr(x.at[i].text, argv[3]))
			measure(t, &x.at[i], &diag);
	expressions_free(&x);
	matches_free((struct matches *)instances);
	trace_close(t);
	return 0;
}
