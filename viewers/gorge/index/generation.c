#include "viewers/gorge/index/generation.h"
#include "base/array.h"
#include "trace/open/grow.h"
#include "trace/open/respecify.h"
#include <stdatomic.h>
#include <stdlib.h>

struct generation {
	atomic_uint holders;
	struct trace *trace;
	struct event_index *event_index;
};

static struct generation *age_of(struct trace *t, struct event_index *c)
{
	struct generation *a = c ? array_zero(1, sizeof *a) : NULL;

	if (a)
		*a = (struct generation){1, t, c};
	return a;
}

struct generation *generation_new(struct trace *t)
{
	return age_of(t, event_index_new(t));
}

struct generation *generation_next(const struct generation *a)
{
	struct trace *t = trace_grow(a->trace);
	struct generation *next = t ? age_of(t, event_index_grow(a->event_index, t)) : NULL;

	if (t && !next)
		trace_close(t);
	return next;
}

struct generation *generation_respecify(struct generation *a, struct spec *spec)
{
	struct trace *t = trace_respecify(a->trace, spec);

	return t ? age_of(t, event_index_respecify(a->event_index, t)) : NULL;
}

struct generation *generation_hold(struct generation *a)
{
	a->holders++;
	return a;
}

void generation_release(struct generation *a)
{
	if (!a || --a->holders)
		return;
	event_index_free(a->event_index);
	trace_close(a->trace);
	free(a);
}

struct trace *generation_trace(const struct generation *a)
{
	return a->trace;
}

const struct event_index *generation_index(const struct generation *a)
{
	return a->event_index;
}

static uint64_t events_of(const struct generation *a, const struct interval_end *end)
{
	return end->interval ? generation_events(a, end->interval)
			     : a->trace->events_of_type[end->event->index];
}

uint64_t generation_events(const struct generation *a, const struct interval *interval)
{
	return events_of(a, &interval->anchor) + events_of(a, &interval->partner);
}
