#include "viewers/gorge/index/generation.h"
#include "base/array.h"
#include "trace/open/grow.h"
#include "trace/open/respecify.h"
#include "trace/symbols/start_names.h"
#include "viewers/gorge/index/logical.h"
#include <stdatomic.h>
#include <stdlib.h>

struct generation {
	atomic_uint holders;
	struct trace *trace;
	struct event_index *event_index;
	struct generation *clocks; /* of a logical one: has the trace; else NULL */
};

static struct generation *make_generation(struct trace *t, struct event_index *x)
{
	struct generation *g = x ? array_zero(1, sizeof *g) : NULL;

	if (g)
		*g = (struct generation){1, t, x, NULL};
	return g;
}

struct generation *generation_new(struct trace *t)
{
	return make_generation(t, event_index_new(t));
}

struct generation *generation_next(const struct generation *g)
{
	struct trace *t = start_names_add(trace_grow(g->trace));
	struct event_index *x = t ? event_index_grow(g->event_index, t) : NULL;
	struct generation *next = make_generation(t, x);

	if (t && !next)
		trace_close(t);
	return next;
}

struct generation *generation_respecify(struct generation *g, struct spec *spec)
{
	struct trace *t = trace_respecify(g->trace, spec);

	return t ? make_generation(t, event_index_respecify(g->event_index, t)) : NULL;
}

struct generation *generation_logical(struct generation *g)
{
	struct logical_order *order = logical_order_new(g->event_index, g->trace);
	struct generation *made =
	    make_generation(g->trace, event_index_logical(g->event_index, order));

	made->clocks = generation_hold(g);
	return made;
}

struct generation *generation_hold(struct generation *g)
{
	g->holders++;
	return g;
}

void generation_release(struct generation *g)
{
	if (!g || --g->holders)
		return;
	event_index_free(g->event_index);
	if (g->clocks)
		generation_release(g->clocks);
	else
		trace_close(g->trace);
	free(g);
}

struct trace *generation_trace(const struct generation *g)
{
	return g->trace;
}

const struct event_index *generation_index(const struct generation *g)
{
	return g->event_index;
}

static uint64_t events_of(const struct generation *g, const struct interval_end *end)
{
	return end->interval ? generation_events(g, end->interval)
			     : g->trace->events_of_type[end->event->index];
}

uint64_t generation_events(const struct generation *g, const struct interval *interval)
{
	return events_of(g, &interval->anchor) + events_of(g, &interval->partner);
}
