#include "analysis/graph/graph.h"
#include "analysis/activity/cause_list.h"
#include "analysis/graph/timeline.h"
#include "base/array.h"
#include "base/parallel.h"
#include "match/join/match.h"
#include "spec/layout.h"
#include <stdlib.h>
#include <string.h>

/* What the timelines are made from. */
struct making {
	struct graph *graph;
	struct span_list waits, states;
	bool *births;           /* by event type: it begins a thread's life */
};

/* ---- which intervals ---- */

static void waits_add(struct graph *g, const struct spec *spec, enum interval_kind kind)
{
	unsigned n;
	struct role *roles = roles_of_kind(spec, kind, &n);

	g->waits = array_resize(g->waits, g->nwaits + n + 1, sizeof *g->waits);
	for (unsigned i = 0; i < n; i++)
		if (roles[i].same_thread)
			g->waits[g->nwaits++] = roles[i];
	free(roles);
}

static void announce(struct trace *t, enum interval_kind kind)
{
	unsigned n;
	struct role *roles = roles_of_kind(t->spec, kind, &n);

	for (unsigned i = 0; i < n; i++) {
		trace_announce(t, roles[i].start.event);
		trace_announce(t, roles[i].end.event);
	}
	free(roles);
}

static const enum interval_kind wait_kinds[] = {KIND_WAIT, KIND_SPIN, KIND_IO};
enum { NWAIT_KINDS = sizeof wait_kinds / sizeof *wait_kinds };

static uint32_t the_number(void *context, const struct event *start)
{
	(void)start;
	return *(uint32_t *)context;
}

static void spans_collect(struct making *m, struct trace *t)
{
	unsigned n;
	struct role *states = roles_of_kind(t->spec, KIND_STATE, &n);

	for (uint32_t i = 0; i < m->graph->nwaits; i++)
		span_list_add(&m->waits, t, &m->graph->waits[i], the_number, &i);
	for (unsigned i = 0; i < n; i++) {
		uint32_t state = states[i].state;

		if (state != STATE_OTHER && states[i].same_thread)
			span_list_add(&m->states, t, &states[i], the_number, &state);
	}
	free(states);
	span_list_sort(&m->waits, t);
	span_list_sort(&m->states, t);
}

/* ---- timelines ---- */

static void thread_make(void *context, size_t i, unsigned worker)
{
	struct making *m = context;
	const struct trace_thread *thread = &m->graph->trace->threads[i];
	struct timeline *l = &m->graph->threads[i];
	struct timeline_input in = {
	    .waits = m->waits.all.at + m->waits.first[i],
	    .nwaits = m->waits.first[i + 1] - m->waits.first[i],
	    .states = m->states.all.at + m->states.first[i],
	    .nstates = m->states.first[i + 1] - m->states.first[i],
	    .roles = m->graph->waits,
	};

	(void)worker;
	*l = (struct timeline){.begin = thread->first, .end = thread->last, .creator = NO_THREAD};
	if (thread->events)
		timeline_make(l, &in);
}

/* ---- causes ---- */

/*
 * A cause is that of the stretch at whose end, or in which, its later event is. It counts only if it
 * came while the thread waited; the last one is what let it go on.
 */
static bool cause_give(struct timeline *l, uint32_t thread, int64_t time, int64_t later)
{
	size_t i = stretch_before(l, later);
	struct stretch *s = &l->stretches[i];

	if (i == l->n || time < s->from ||
	    (s->activity != ACTIVITY_WAITING && s->activity != ACTIVITY_BLOCKED))
		return false;
	if (s->cause_thread == NO_THREAD || time > s->cause_time) {
		s->cause_thread = thread;
		s->cause_time = time;
	}
	return true;
}

static void cause_take(void *context, const struct event *earlier, const struct event *later)
{
	struct making *m = context;
	struct graph *g = m->graph;
	const struct trace *t = g->trace;
	uint32_t from = trace_thread_index(t, earlier->thread);
	struct timeline *l = &g->threads[trace_thread_index(t, later->thread)];

	if (earlier->thread == later->thread)
		return;
	if (m->births[later->type->index] || later->time <= l->begin) {
		l->creator = from;
		l->created = earlier->time;
	} else if (!cause_give(l, from, earlier->time, later->time) && earlier->time <= later->time) {
		*vector_add(&g->needs) =
		    (struct need){(uint32_t)(l - g->threads), later->time, from, earlier->time};
	}
}

static bool *births_of(const struct spec *spec)
{
	bool *births = array_zero(spec->nevents + 1, sizeof *births);
	unsigned n;
	struct role *lives = roles_of_kind(spec, KIND_LIFE, &n);

	for (unsigned i = 0; i < n; i++)
		if (role_is_threads_life(&lives[i]))
			births[lives[i].start.event->index] = true;
	free(lives);
	return births;
}

static void causes_give(struct making *m, const struct cause_list *c)
{
	m->births = births_of(m->graph->trace->spec);
	for (unsigned i = 0; i < c->n; i++)
		cause_list_each(c, i, cause_take, m);
	free(m->births);
}

/* ---- time-outs ---- */

/* ETIMEDOUT of the system that is recorded. */
enum { TIMED_OUT = 110 };

/* A wait whose time was up was ended by nobody, whatever others did meanwhile. */
static void time_out(struct timeline *l, int64_t time)
{
	size_t i = stretch_before(l, time);
	struct stretch *s = &l->stretches[i];

	if (i == l->n || s->activity != ACTIVITY_WAITING || stretch_end(l, i) != time)
		return;
	s->timed_out = true;
	s->cause_thread = NO_THREAD;
}

static void time_outs_take(struct graph *g, struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *type = t->spec->events[i];
		const struct event_list *l = type->errno_attribute < 0 ? NULL : trace_events(t, type);

		for (size_t k = 0; l && k < event_list_size(l); k++) {
			struct event e;

			event_list_look(l, k, &e);
			if (record_value(e.type, (unsigned)type->errno_attribute,
					 event_operand(t, &e).record).integer == TIMED_OUT)
				time_out(&g->threads[trace_thread_index(t, e.thread)], e.time);
		}
	}
}

const char *graph_until(const struct graph *g, uint32_t role, bool timed_out)
{
	return timed_out ? "a timer" : role == NO_ROLE ? NULL : g->waits[role].interval->until;
}

static int need_order(const void *a, const void *b)
{
	const struct need *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static void needs_sort(struct graph *g)
{
	uint32_t nthreads = g->trace->nthreads;
	size_t at = 0;

	if (!g->needs.n)
		return;
	qsort(g->needs.at, g->needs.n, sizeof *g->needs.at, need_order);
	g->first_need = array_new((size_t)nthreads + 1, sizeof *g->first_need);
	for (uint32_t t = 0; t <= nthreads; t++) {
		while (at < g->needs.n && g->needs.at[at].thread < t)
			at++;
		g->first_need[t] = at;
	}
}

void graph_announce(struct trace *t)
{
	for (unsigned i = 0; i < NWAIT_KINDS; i++)
		announce(t, wait_kinds[i]);
	announce(t, KIND_STATE);
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->errno_attribute >= 0)
			trace_announce(t, t->spec->events[i]);
}

struct graph *graph_with(struct trace *t, const struct cause_list *causes)
{
	struct graph *g = array_zero(1, sizeof *g);
	struct making m = {.graph = g};

	g->trace = t;
	g->threads = array_zero(t->nthreads, sizeof *g->threads);
	graph_announce(t);
	for (unsigned i = 0; i < NWAIT_KINDS; i++)
		waits_add(g, t->spec, wait_kinds[i]);
	spans_collect(&m, t);
	parallel_for(t->nthreads, thread_make, &m);
	span_list_free(&m.waits);
	span_list_free(&m.states);
	causes_give(&m, causes);
	time_outs_take(g, t);
	needs_sort(g);
	return g;
}

struct graph *graph_of(struct trace *t)
{
	struct cause_list causes;
	struct graph *g;

	graph_announce(t);
	cause_list_find(&causes, t);
	g = graph_with(t, &causes);
	cause_list_free(&causes);
	return g;
}

void graph_free(struct graph *g)
{
	for (unsigned i = 0; i < g->trace->nthreads; i++)
		free(g->threads[i].stretches);
	free(g->threads);
	free(g->waits);
	free(g->needs.at);
	free(g->first_need);
	free(g);
}
