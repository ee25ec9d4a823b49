#include "analysis/why/blame.h"
#include "base/search.h"
#include "trace/address.h"
#include <stdlib.h>

/* Holds of one thread, in the order of their starts; and causes that have a place, by time. */
struct held {
	VECTOR(const struct span_of_time *) holds;
};

struct caused {
	int64_t time, site;
	uint32_t thread;
};

struct blaming {
	struct ground *ground;
	struct held *threads;
	VECTOR(struct caused) causes;
};

static uint32_t thread_index(const struct trace *t, const struct event *e)
{
	return (uint32_t)(trace_thread(t, e->thread) - t->threads);
}

static int by_time(const void *a, const void *b)
{
	const struct caused *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void causes_collect(struct blaming *b)
{
	struct trace *t = b->ground->trace;
	unsigned n;
	struct role *roles = roles_of_kind(t->spec, KIND_CAUSE, &n);
	bool *done = array_zero(t->spec->nevents + 1, sizeof *done);

	for (unsigned i = 0; i < n; i++) {
		const struct role_end *start = &roles[i].start;
		const struct event_list *l;
		struct event e;

		if (start->code[0] < 0 || done[start->event->index])
			continue;
		done[start->event->index] = true;
		l = trace_events(t, start->event);
		for (size_t k = 0; k < event_list_size(l); k++) {
			event_list_look(l, k, &e);
			*vector_add(&b->causes) = (struct caused){
			    e.time, address_key(t, &e, (unsigned)start->code[0]), thread_index(t, &e)};
		}
	}
	if (b->causes.n)
		qsort(b->causes.at, b->causes.n, sizeof *b->causes.at, by_time);
	free(done);
	free(roles);
}

static void holds_collect(struct blaming *b)
{
	const struct ground *g = b->ground;

	for (size_t i = 0; i < g->spans.n; i++) {
		const struct span_of_time *s = &g->spans.at[i];
		const struct role *r = g->places.at[s->place].role;

		if (r && r->kind == KIND_HOLD)
			*vector_add(&b->threads[s->thread].holds) = s;
	}
}

/* How many holds before the cause are looked at for the one that it ended. */
enum { LOOKED_AT = 16 };

static int64_t hold_site(const struct blaming *b, const struct span_of_time *w, int64_t object)
{
	const struct held *h = &b->threads[w->blocker];
	size_t next = lower_bound(i, 0, h->holds.n, h->holds.at[i]->from <= w->blocked_until);

	for (size_t i = next; i-- > 0 && i + LOOKED_AT >= next;) {
		const struct place *p = &b->ground->places.at[h->holds.at[i]->place];

		if (p->object == object && h->holds.at[i]->to >= w->from)
			return p->site;
	}
	return NO_KEY;
}

static int64_t cause_site(const struct blaming *b, const struct span_of_time *w)
{
	size_t i = lower_bound(k, 0, b->causes.n, b->causes.at[k].time < w->blocked_until);

	for (; i < b->causes.n && b->causes.at[i].time == w->blocked_until; i++)
		if (b->causes.at[i].thread == w->blocker)
			return b->causes.at[i].site;
	return NO_KEY;
}

void blames_set(struct ground *g)
{
	struct blaming b = {.ground = g, .threads = array_zero(g->trace->nthreads, sizeof *b.threads)};

	causes_collect(&b);
	holds_collect(&b);
	for (size_t i = 0; i < g->spans.n; i++) {
		struct span_of_time *s = &g->spans.at[i];
		int64_t object = g->places.at[s->place].object;

		if (s->blocker == NO_THREAD)
			continue;
		if (object != NO_KEY)
			s->blame = hold_site(&b, s, object);
		if (s->blame == NO_KEY)
			s->blame = cause_site(&b, s);
	}
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		free(b.threads[t].holds.at);
	free(b.threads);
	free(b.causes.at);
}
