/* Which threads, events and intervals are shown. */
#include "viewers/gorge/build/build.h"
#include "viewers/select.h"
#include <stdlib.h>

static bool choose_events(struct choice *c, const struct view *v, const struct spec *spec,
			  struct diag *diag)
{
	const char **names = array_zero(spec->nevents, sizeof *names);
	bool good = true, any = false;

	for (unsigned i = 0; i < spec->nevents; i++) {
		names[i] = spec->events[i]->name;
		any |= spec->events[i]->symbol != SYMBOL_NONE;
	}
	if (v->events)
		good = select_names("--events", v->events, names, spec->nevents, c->events,
				    diag);
	for (unsigned i = 0; i < spec->nevents && !v->events; i++)
		c->events[i] = !any || spec->events[i]->symbol != SYMBOL_NONE;
	free(names);
	return good;
}

static bool choose_intervals(struct choice *c, const struct view *v, const struct spec *spec,
			     struct diag *diag)
{
	const char **names = array_zero(spec->nintervals, sizeof *names);
	bool good = true, any = false;

	for (unsigned i = 0; i < spec->nintervals; i++) {
		names[i] = spec->intervals[i]->name;
		any |= spec->intervals[i]->connection != CONNECTION_NONE;
	}
	if (v->intervals)
		good = select_names("--intervals", v->intervals, names, spec->nintervals,
				    c->intervals, diag);
	for (unsigned i = 0; i < spec->nintervals && !v->intervals; i++)
		c->intervals[i] = !any || spec->intervals[i]->connection != CONNECTION_NONE;
	free(names);
	return good;
}

static bool choose_threads(struct choice *c, const struct view *v, const struct trace *t,
			   struct diag *diag)
{
	if (v->threads)
		return select_threads(v->threads, t, c->threads, diag);
	for (unsigned i = 0; i < t->nthreads; i++)
		c->threads[i] = true;
	return true;
}

struct choice choice_new(const struct view *v, const struct trace *t, struct diag *diag)
{
	struct choice c = {
		.threads = array_zero(t->nthreads, 1), .events = array_zero(t->spec->nevents, 1),
		.intervals = array_zero(t->spec->nintervals, 1),
	};

	c.good = choose_events(&c, v, t->spec, diag);
	c.good &= choose_intervals(&c, v, t->spec, diag);
	c.good = choose_threads(&c, v, t, diag) && c.good;
	return c;
}

void choice_free(struct choice *c)
{
	free(c->threads);
	free(c->events);
	free(c->intervals);
}
