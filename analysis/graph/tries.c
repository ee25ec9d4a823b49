#include "analysis/graph/tries.h"
#include "spec/layout.h"
#include <stdlib.h>

static int by_thread(const void *a, const void *b)
{
	const struct try *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static void type_read(struct trace *t, const struct event_type *type, tries *all)
{
	const struct event_list *events = trace_events(t, type);
	struct event e;

	for (size_t i = 0; i < t->events_of_type[type->index]; i++) {
		struct try *new = vector_add(all);

		event_list_get(events, i, &e);
		*new =
		    (struct try){e.time, type->index, 0, (uint32_t)trace_thread_index(t, e.thread)};
		for (unsigned k = 0; k < type->nattributes; k++) {
			uint64_t value = (uint64_t)record_value(type, k, e.record).integer;

			new->key = new->key * 0x9e3779b97f4a7c15 + value;
			if (type->attributes[k].type == TYPE_OBJECT)
				new->object = value;
		}
	}
}

void tries_announce(struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->spin)
			trace_announce(t, t->spec->events[i]);
}

tries tries_of(struct trace *t)
{
	tries all = {0};

	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->spin && t->events_of_type[i])
			type_read(t, t->spec->events[i], &all);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_thread);
	return all;
}
