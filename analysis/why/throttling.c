#include "analysis/why/throttling.h"
#include <math.h>

/* Of one event's time, what is in a window; as much of it as the processors were withheld. */
static double throttled_within(const struct evidence *g, const struct throttled *t, int64_t from,
			       int64_t to)
{
	double denied = (double)idle_denied(g->idle, t->from, t->to);

	if (denied <= 0)
		return 0;
	from = from > t->from ? from : t->from;
	to = to < t->to ? to : t->to;
	return fmin(1, (double)t->withheld / denied) * (double)idle_denied(g->idle, from, to);
}

double throttled_time(const struct evidence *g, int64_t from, int64_t to)
{
	double time = 0;

	for (size_t i = 0; i < g->throttled.n; i++)
		if (g->throttled.at[i].from < to && g->throttled.at[i].to > from)
			time += throttled_within(g, &g->throttled.at[i], from, to);
	return time;
}

double throttled_part(const struct evidence *g, const struct focus *f)
{
	return f->from < f->to ? throttled_time(g, f->from, f->to) / (double)(f->to - f->from) : 0;
}

void throttled_events_mark(const struct spec *spec, bool *events)
{
	for (unsigned i = 0; i < spec->nevents; i++)
		events[i] |= spec->events[i]->throttled_attribute >= 0;
}
