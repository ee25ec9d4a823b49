#include "viewers/nibble/expr/node.h"
#include "base/nearest.h"
#include <stdlib.h>
#include <string.h>

enum { TAKES_NAME = TAKES_EVENT | TAKES_INTERVAL };

const struct function functions[] = {
    {FUNCTION_COUNT, "count", TAKES_NAME, 0, "count(X)",
     "number of events or matched intervals so far"},
    {FUNCTION_RATE, "rate", TAKES_NAME | TAKES_VALUE, OPTION_WINDOW, "rate(X)",
     "number per second, in windows; rate(X.v): sum of the values per second"},
    {FUNCTION_OPEN, "open", TAKES_INTERVAL | TAKES_VALUE, 0, "open(I)",
     "number of open intervals; open(I.v): sum of their values"},
    {FUNCTION_PARALLEL, "parallel", TAKES_INTERVAL, 0, "parallel(I)",
     "number of threads with at least one open interval"},
    {FUNCTION_UNMATCHED, "unmatched", TAKES_INTERVAL, 0, "unmatched(I)",
     "number of anchors without a partner so far"},
    {FUNCTION_BUSY, "busy", TAKES_INTERVAL, OPTION_WINDOW, "busy(I)",
     "share of each window in which at least one interval is open"},
    {FUNCTION_SHARE, "share", TAKES_INTERVAL, OPTION_WINDOW, "share(I)",
     "share of the threads' time with an open interval; for samples, share of running time"},
    {FUNCTION_BOTTLE, "bottle", TAKES_INTERVAL, 0, "bottle(I)",
     "one box per thread: its share of the time by its parallelism"},
    {FUNCTION_TIME, "time", TAKES_INTERVAL, 0, "time(I)",
     "duration of each interval, as a point at its start"},
    {FUNCTION_VALUE, "value", TAKES_VALUE, 0, "value(X.v)", "each value, as a point"},
    {FUNCTION_MEAN, "mean", TAKES_VALUE, OPTION_WINDOW, "mean(X.v)",
     "mean of the values in each window"},
    {FUNCTION_MIN, "min", TAKES_VALUE, OPTION_WINDOW, "min(X.v)", "least value in each window"},
    {FUNCTION_MAX, "max", TAKES_VALUE, OPTION_WINDOW, "max(X.v)", "greatest value in each window"},
    {FUNCTION_SUM, "sum", TAKES_VALUE, OPTION_WINDOW, "sum(X.v)",
     "sum of the values in each window"},
    {FUNCTION_QUANTILE, "p50", TAKES_VALUE, OPTION_WINDOW, "p50(X.v)",
     "median in each window; p90, p99, p99.9: that percentile"},
    {FUNCTION_HIST, "hist", TAKES_VALUE | TAKES_SERIES, OPTION_BINS, "hist(X.v)",
     "histogram: number of values per bin; hist(s): time per bin"},
    {FUNCTION_CDF, "cdf", TAKES_VALUE, 0, "cdf(X.v)",
     "cumulative distribution: share of the values up to each value"},
    {FUNCTION_HEAT, "heat", TAKES_VALUE, OPTION_WINDOW | OPTION_BINS, "heat(X.v)",
     "histogram of each window, as colours"},
    {FUNCTION_SMOOTH, "smooth", TAKES_SERIES, OPTION_LENGTH, "smooth(s, 5 ms)",
     "moving average over that time"},
    {FUNCTION_DIFF, "diff", TAKES_SERIES, 0, "diff(s)", "change from each value to the next"},
    {FUNCTION_CUMULATIVE, "cumulative", TAKES_SERIES, 0, "cumulative(s)",
     "sum of the values so far"},
    {FUNCTION_NORMALIZE, "normalize", TAKES_SERIES, 0, "normalize(s)",
     "series divided by its greatest magnitude: between -1 and 1"},
    {FUNCTION_TOP, "top", TAKES_SERIES, OPTION_MEMBERS, "top(s, 5)",
     "the members of a family with the greatest maximum"},
    {.name = NULL},
};

/* Returns the percentile in "p99.9", as a share; negative: the name has none. */
static double percentile(const char *name)
{
	char *end;
	double p;

	if (name[0] != 'p' || name[1] < '0' || name[1] > '9')
		return -1;
	p = strtod(name + 1, &end);
	return *end == '\0' && p <= 100 ? p / 100 : -1;
}

const struct function *function_find(const char *name, double *quantile)
{
	const struct function *f = functions;

	*quantile = percentile(name);
	if (*quantile >= 0)
		name = "p50";
	while (f->name && strcmp(f->name, name) != 0)
		f++;
	return f->name ? f : NULL;
}

const char *function_nearest(const char *name)
{
	const char *names[sizeof functions / sizeof *functions];
	size_t n = 0;

	while (functions[n].name) {
		names[n] = functions[n].name;
		n++;
	}
	return nearest_name(name, names, n);
}

struct dimension subject_dimension(const struct expr_subject *s)
{
	if (s->metric)
		return dimension_of_unit(s->metric->value->unit);
	return s->interval ? DIMENSION_TIME : DIMENSION_NONE;
}

void node_free(struct node *n)
{
	if (!n)
		return;
	for (struct source_selection *s = n->source.selections, *next; s; s = next) {
		next = s->next;
		free(s->pattern);
		expr_free(s->condition);
		free(s);
	}
	expr_free(n->source.per_expression);
	if (n->source.subject.samples) {
		free(n->source.subject.samples->function);
		free(n->source.subject.samples->self);
		free(n->source.subject.samples->thread);
		free(n->source.subject.samples);
	}
	node_free(n->left);
	node_free(n->right);
	free(n);
}
