/* What statistics are made of: the series of an interval's or an event's values. */
#include "base/array.h"
#include "base/parallel.h"
#include "match/eval/formula.h"
#include "match/stats/series.h"
#include "spec/layout.h"
#include <stdlib.h>

/* The values of all stretches of anchors, or of events: each has a part of its own. */
struct filling {
	const struct matches *matches;
	struct formula formula; /* of a metric */
	const struct moments *events;
	const struct event_type *type;
	unsigned attribute;
	size_t count;           /* of anchors or events */
	size_t *counts;         /* what each stretch has at most */
};

/* The stretch's last, and one more. */
static size_t stretch_end(const struct filling *f, size_t part)
{
	size_t end = (part + 1) * PARALLEL_CHUNK;

	return end < f->count ? end : f->count;
}

static void matched_count(void *context, size_t from, size_t to)
{
	const struct filling *f = context;
	size_t *n = &f->counts[from / PARALLEL_CHUNK];

	for (size_t i = from; i < to; i++)
		*n += f->matches->partner_of[i] != UNMATCHED;
}

static void events_count(void *context, size_t from, size_t to)
{
	const struct filling *f = context;

	f->counts[from / PARALLEL_CHUNK] = to - from;
}

static void durations_fill(void *context, size_t part, struct series *to)
{
	const struct filling *f = context;

	for (size_t i = part * PARALLEL_CHUNK; i < stretch_end(f, part); i++)
		if (f->matches->partner_of[i] != UNMATCHED)
			to->words[to->n++] = matches_duration(f->matches, i);
}

static void metric_fill(void *context, size_t part, struct series *to)
{
	const struct filling *f = context;
	struct binding b;
	struct value v;

	for (size_t i = part * PARALLEL_CHUNK; i < stretch_end(f, part); i++) {
		if (f->matches->partner_of[i] == UNMATCHED)
			continue;
		matches_bind(f->matches, i, f->formula.names, &b);
		series_put(to, formula_value(&f->formula, &b, &v) ? &v : NULL);
	}
}

static void attribute_fill(void *context, size_t part, struct series *to)
{
	const struct filling *f = context;

	for (size_t i = part * PARALLEL_CHUNK; i < stretch_end(f, part); i++) {
		struct event e;
		struct value v;

		moments_look(f->events, i, &e);
		v = record_value(f->type, f->attribute, e.record);
		series_put(to, &v);
	}
}

typedef void stretch_count(void *context, size_t from, size_t to);
typedef void stretch_fill(void *context, size_t part, struct series *to);

static struct series filled(struct filling *f, bool real, stretch_count *counting, stretch_fill *filling)
{
	size_t n = (f->count + PARALLEL_CHUNK - 1) / PARALLEL_CHUNK;
	struct series s;

	f->counts = array_zero(n, sizeof *f->counts);
	parallel_chunks(f->count, counting, f);
	s = series_gathered(n, f->counts, real, filling, f);
	free(f->counts);
	return s;
}

struct series series_of_durations(const struct matches *m)
{
	struct filling f = {.matches = m, .count = m->count};

	return filled(&f, false, matched_count, durations_fill);
}

struct series series_of_metric(const struct matches *m, const struct metric *metric)
{
	struct filling f = {.matches = m, .formula = formula_of(metric->value), .count = m->count};
	struct series s = filled(&f, metric->value->kind == VALUE_REAL, matched_count, metric_fill);

	formula_clear(&f.formula);
	return s;
}

struct series series_of_attribute(const struct moments *events, const struct event_type *type,
				  unsigned attribute)
{
	struct filling f = {.events = events, .type = type, .attribute = attribute, .count = events->count};

	return filled(&f, type->attributes[attribute].type == TYPE_DOUBLE, events_count, attribute_fill);
}
