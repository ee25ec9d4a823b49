#include "analysis/graph/tries.h"
#include "analysis/graph/graph.h"
#include "spec/layout.h"
#include <stdlib.h>

static int by_thread(const void *a, const void *b)
{
	const struct try *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static struct try try_of(const struct trace *t, const struct event_type *type,
			 const struct event *e)
{
	struct try new = {e->time, type->index, 0, (uint32_t)trace_thread_index(t, e->thread)};

	for (unsigned k = 0; k < type->nattributes; k++) {
		uint64_t value = (uint64_t)record_value(type, k, e->record).integer;

		new.key = new.key * 0x9e3779b97f4a7c15 + value;
		if (type->attributes[k].type == TYPE_OBJECT)
			new.object = value;
	}
	return new;
}

static void type_read(struct trace *t, const struct event_type *type, tries *all)
{
	const struct event_list *events = trace_events(t, type);
	struct event e;

	for (size_t i = 0; i < t->events_of_type[type->index]; i++) {
		event_list_get(events, i, &e);
		*vector_add(all) = try_of(t, type, &e);
	}
}

/* A thread's newest try, and how far its timeline has been looked at. */
struct newest_try {
	struct try try;
	bool is;
	size_t stretch;
};

/* Returns whether a thread waits from its newest try on before a time. */
static bool waits_before(struct newest_try *n, const struct timeline *l, int64_t time)
{
	while (n->stretch < l->n && stretch_end(l, n->stretch) <= n->try.time)
		n->stretch++;
	for (; n->stretch < l->n && l->stretches[n->stretch].from < time; n->stretch++)
		if (l->stretches[n->stretch].activity == ACTIVITY_WAITING)
			return true;
	return false;
}

static void last_ones_read(struct trace *t, const struct event_type *type, const struct graph *g,
			   tries *all)
{
	const struct event_list *events = trace_events(t, type);
	struct newest_try *newest = array_zero(t->nthreads, sizeof *newest);
	struct event e;

	for (size_t i = 0; i < t->events_of_type[type->index]; i++) {
		struct newest_try *n;
		struct try new;

		event_list_get(events, i, &e);
		new = try_of(t, type, &e);
		n = &newest[new.thread];
		if (n->is && waits_before(n, &g->threads[new.thread], new.time))
			*vector_add(all) = n->try;
		n->try = new;
		n->is = new.object != 0;
	}
	for (uint32_t i = 0; i < t->nthreads; i++)
		if (newest[i].is)
			*vector_add(all) = newest[i].try;
	free(newest);
}

void tries_announce(struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->spin)
			trace_announce(t, t->spec->events[i]);
}

/* g: NULL: all of them. */
static tries tries_read(struct trace *t, const struct graph *g)
{
	tries all = {0};

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *type = t->spec->events[i];

		if (!type->spin || !t->events_of_type[i])
			continue;
		if (g)
			last_ones_read(t, type, g, &all);
		else
			type_read(t, type, &all);
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_thread);
	return all;
}

tries tries_of(struct trace *t)
{
	return tries_read(t, NULL);
}

tries tries_before_waits(struct trace *t, const struct graph *g)
{
	return tries_read(t, g);
}
