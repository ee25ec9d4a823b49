#include "match/stats/aggregates.h"
#include "base/array.h"
#include <stdlib.h>

/* A series and what it is of. */
struct known {
	const struct interval *interval;
	const struct metric *metric;
	const struct event_type *event;
	int attribute;
	struct series series;
};

struct aggregates {
	struct trace *trace;
	struct matches **matches;       /* by interval; those that are lent are not here */
	struct lender lender;           /* find is NULL: there is none */
	struct known *known;
	size_t nknown;
};

struct aggregates *aggregates_new(struct trace *t)
{
	struct aggregates *a = array_zero(1, sizeof *a);

	a->trace = t;
	a->matches = array_zero(t->spec->nintervals, sizeof *a->matches);
	return a;
}

struct aggregates *aggregates_new_from(struct trace *t, const struct lender *lender)
{
	struct aggregates *a = aggregates_new(t);

	a->lender = *lender;
	return a;
}

void aggregates_free(struct aggregates *a)
{
	for (unsigned i = 0; i < a->trace->spec->nintervals; i++)
		matches_free(a->matches[i]);
	for (size_t i = 0; i < a->nknown; i++)
		series_clear(&a->known[i].series);
	free(a->matches);
	free(a->known);
	free(a);
}

const struct matches *aggregates_matches(struct aggregates *a, const struct interval *interval)
{
	struct matches **m = &a->matches[interval->index];

	if (a->lender.find)
		return a->lender.find(a->lender.context, interval);
	if (!*m)
		*m = match_interval(a->trace, interval);
	return *m;
}

static struct series series_find(struct aggregates *a, const struct aggregate *wanted)
{
	struct moments events = {.trace = a->trace};
	const struct matches *m;

	if (wanted->metric && a->lender.measure)
		return a->lender.measure(a->lender.context, wanted->interval, wanted->metric);
	if (wanted->interval) {
		m = aggregates_matches(a, wanted->interval);
		return wanted->metric ? series_of_metric(m, wanted->metric)
				      : series_of_durations(m);
	}
	events.list = trace_events(a->trace, wanted->event);
	events.count = event_list_size(events.list);
	return series_of_attribute(&events, wanted->event, (unsigned)wanted->attribute);
}

static struct series *series_known(struct aggregates *a, const struct aggregate *wanted)
{
	for (size_t i = 0; i < a->nknown; i++) {
		struct known *k = &a->known[i];

		if (k->interval == wanted->interval && k->metric == wanted->metric &&
		    k->event == wanted->event && k->attribute == wanted->attribute)
			return &k->series;
	}
	a->known = array_grow(a->known, a->nknown, sizeof *a->known);
	a->known[a->nknown] = (struct known){wanted->interval, wanted->metric, wanted->event,
					     wanted->attribute, series_find(a, wanted)};
	return &a->known[a->nknown++].series;
}

static struct value integer(__int128 i)
{
	return (struct value){.kind = VALUE_INT, .integer = i};
}

static struct value real(double x)
{
	return (struct value){.kind = VALUE_REAL, .real = x};
}

static size_t count_of(struct aggregates *a, const struct aggregate *wanted)
{
	if (wanted->event)
		return a->trace->events_of_type[wanted->event->index];
	return aggregates_matches(a, wanted->interval)->matched;
}

static bool statistic(struct series *s, const struct aggregate *wanted, struct value *result)
{
	if (s->n == 0 && wanted->function != AGGREGATE_SUM)
		return false;
	switch (wanted->function) {
	case AGGREGATE_MIN:
		*result = series_quantile(s, 0);
		break;
	case AGGREGATE_MAX:
		*result = series_quantile(s, 1);
		break;
	case AGGREGATE_MEAN:
		*result = real(series_mean(s));
		break;
	case AGGREGATE_SUM:
		*result = series_sum(s);
		break;
	default:
		*result = series_quantile(s, wanted->quantile);
	}
	return true;
}

bool aggregates_value(void *aggregates, const struct aggregate *wanted, struct value *result)
{
	struct aggregates *a = aggregates;
	const struct matches *m;

	switch (wanted->function) {
	case AGGREGATE_COUNT:
		*result = integer((__int128)count_of(a, wanted));
		return true;
	case AGGREGATE_UNMATCHED:
		m = aggregates_matches(a, wanted->interval);
		*result = integer((__int128)(m->count - m->matched));
		return true;
	case AGGREGATE_RATE:
		if (a->trace->duration <= 0)
			return false;
		*result = real((double)count_of(a, wanted) / ((double)a->trace->duration / 1e9));
		return true;
	default:
		return statistic(series_known(a, wanted), wanted, result);
	}
}
