#include "analysis/why/priorities.h"
#include "base/array.h"
#include "base/search.h"
#include "spec/layout.h"
#include <stdlib.h>

/* A thread's priority from a time on. */
struct priority_change {
	int64_t time, priority;
};

typedef VECTOR(struct priority_change) change_list;

struct priorities {
	uint32_t nthreads;
	change_list *threads;
};

void priorities_announce(struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->priority_attribute >= 0)
			trace_announce(t, t->spec->events[i]);
}

static int by_time(const void *a, const void *b)
{
	const struct priority_change *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void changes_read(struct priorities *p, struct trace *t, const struct event_type *type)
{
	const struct event_list *list = trace_events(t, type);

	for (size_t i = 0; list && i < event_list_size(list); i++) {
		struct event e;
		struct value v;

		event_list_look(list, i, &e);
		v = record_value(type, (unsigned)type->priority_attribute,
				 event_operand(t, &e).record);
		*vector_add(&p->threads[trace_thread_index(t, e.thread)]) =
		    (struct priority_change){e.time, v.integer};
	}
}

static bool is_logged(const struct trace *t, unsigned event)
{
	return t->spec->events[event]->priority_attribute >= 0 && t->events_of_type[event];
}

bool trace_has_priorities(const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (is_logged(t, i))
			return true;
	return false;
}

struct priorities *priorities_of(struct trace *t)
{
	struct priorities *p;

	if (!trace_has_priorities(t))
		return NULL;
	p = array_zero(1, sizeof *p);
	p->nthreads = t->nthreads;
	p->threads = array_zero(t->nthreads, sizeof *p->threads);
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (is_logged(t, i))
			changes_read(p, t, t->spec->events[i]);
	for (uint32_t i = 0; i < t->nthreads; i++)
		if (p->threads[i].n)
			qsort(p->threads[i].at, p->threads[i].n, sizeof *p->threads[i].at, by_time);
	return p;
}

void priorities_free(struct priorities *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nthreads; i++)
		free(p->threads[i].at);
	free(p->threads);
	free(p);
}

int64_t priority_at(const struct priorities *p, uint32_t thread, int64_t time)
{
	const change_list *l = &p->threads[thread];
	size_t i = lower_bound(k, 0, l->n, l->at[k].time <= time);

	return i ? l->at[i - 1].priority : 0;
}
