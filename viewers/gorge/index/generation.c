#include "viewers/gorge/index/generation.h"
#include "base/array.h"
#include "trace/open/grow.h"
#include "trace/open/respecify.h"
#include <stdatomic.h>
#include <stdlib.h>

struct age {
	atomic_uint holders;
	struct trace *trace;
	struct census *census;
};

static struct age *age_of(struct trace *t, struct census *c)
{
	struct age *a = c ? array_zero(1, sizeof *a) : NULL;

	if (a)
		*a = (struct age){1, t, c};
	return a;
}

struct age *age_new(struct trace *t)
{
	return age_of(t, census_new(t));
}

struct age *age_next(const struct age *a)
{
	struct trace *t = trace_grow(a->trace);
	struct age *next = t ? age_of(t, census_grow(a->census, t)) : NULL;

	if (t && !next)
		trace_close(t);
	return next;
}

struct age *age_retell(struct age *a, struct spec *spec)
{
	struct trace *t = trace_respecify(a->trace, spec);

	return t ? age_of(t, census_retell(a->census, t)) : NULL;
}

struct age *age_hold(struct age *a)
{
	a->holders++;
	return a;
}

void age_release(struct age *a)
{
	if (!a || --a->holders)
		return;
	census_free(a->census);
	trace_close(a->trace);
	free(a);
}

struct trace *age_trace(const struct age *a)
{
	return a->trace;
}

const struct census *age_census(const struct age *a)
{
	return a->census;
}

static uint64_t events_of(const struct age *a, const struct interval_end *end)
{
	return end->interval ? age_events(a, end->interval)
			     : a->trace->events_of_type[end->event->index];
}

uint64_t age_events(const struct age *a, const struct interval *interval)
{
	return events_of(a, &interval->anchor) + events_of(a, &interval->partner);
}
