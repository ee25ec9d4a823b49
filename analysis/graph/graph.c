#include "analysis/graph/graph.h"
#include "analysis/activity/instance_set.h"
#include "analysis/activity/on_time.h"
#include "analysis/graph/guessed_wakers.h"
#include "analysis/graph/run_end.h"
#include "analysis/graph/timeline.h"
#include "analysis/graph/tries.h"
#include "base/array.h"
#include "base/parallel.h"
#include "spec/layout.h"
#include <stdlib.h>
#include <string.h>

/* What the timelines are made from. */
struct graph_context {
	struct graph *graph;
	const struct instance_set *set;
	int64_t states_end;    /* from then on they were not observed; INT64_MAX: they were */
	bool *births, *deaths; /* by event type: it begins a thread's life, or ends it */
	uint32_t *reapers;     /* by thread: the one of another process that waited for its end */
};

/* ---- timelines ---- */

static int64_t states_end(const struct instance_set *set)
{
	int64_t end = INT64_MAX;

	for (unsigned i = 0; i < set->nroles; i++) {
		int64_t off = set->roles[i].kind == KIND_STATE
				  ? on_time_end(set->trace, &set->roles[i])
				  : INT64_MAX;

		end = off < end ? off : end;
	}
	return end;
}

static void thread_make(void *context, size_t i, unsigned worker)
{
	struct graph_context *m = context;
	const struct trace_thread *thread = &m->graph->trace->threads[i];
	struct timeline *l = &m->graph->threads[i];
	struct timeline_input in = {
	    .set = m->set,
	    .waits = instance_spans(m->set, SPANS_WAIT, (uint32_t)i),
	    .states = instance_spans(m->set, SPANS_STATE, (uint32_t)i),
	    .states_end = m->states_end,
	};

	(void)worker;
	*l = (struct timeline){.begin = thread->first, .end = thread->last, .creator = NO_THREAD};
	if (thread->events)
		timeline_make(l, &in);
}

/* ---- causes ---- */

/*
 * A cause is that of the stretch at whose end, or in which, its later event is. It counts only if
 * it came while the thread waited; the last one is what let it go on.
 */
static bool cause_give(struct timeline *l, uint32_t thread, int64_t time, int64_t later)
{
	size_t i = stretch_caused(l, time, later);
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
	struct graph_context *m = context;
	struct graph *g = m->graph;
	const struct trace *t = g->trace;
	uint32_t from = trace_thread_index(t, earlier->thread);
	struct timeline *l = &g->threads[trace_thread_index(t, later->thread)];

	if (earlier->thread == later->thread)
		return;
	if (m->deaths[earlier->type->index] &&
	    t->threads[from].directory != t->threads[l - g->threads].directory)
		m->reapers[from] = (uint32_t)(l - g->threads);
	if (m->births[later->type->index] || later->time <= l->begin) {
		l->creator = from;
		l->created = earlier->time;
	} else if (!cause_give(l, from, earlier->time, later->time) &&
		   earlier->time <= later->time) {
		*vector_add(&g->needs) =
		    (struct need){(uint32_t)(l - g->threads), later->time, from, earlier->time};
	}
}

/*
 * A process whose creation nobody logged, as by vfork(): only its parent waits for its end. It was
 * made before the parent began to wait.
 */
static void creator_from_end(struct graph *g, uint32_t thread, uint32_t reaper)
{
	struct timeline *l = &g->threads[thread];
	const struct timeline *parent = &g->threads[reaper];
	size_t i = stretch_before(parent, l->begin);

	if (l->creator != NO_THREAD || !l->n || i == parent->n)
		return;
	l->creator = reaper;
	l->created = l->begin;
	if (parent->stretches[i].activity == ACTIVITY_WAITING ||
	    parent->stretches[i].activity == ACTIVITY_BLOCKED)
		l->created = parent->stretches[i].from;
}

static void causes_give(struct graph_context *m)
{
	const struct instance_set *set = m->set;
	uint32_t nthreads = set->trace->nthreads;

	m->births = array_zero(set->trace->spec->nevents + 1, sizeof *m->births);
	m->deaths = array_zero(set->trace->spec->nevents + 1, sizeof *m->deaths);
	m->reapers = array_new(nthreads + 1, sizeof *m->reapers);
	for (uint32_t i = 0; i < nthreads; i++)
		m->reapers[i] = NO_THREAD;
	for (unsigned i = 0; i < set->nlives; i++) {
		m->births[set->lives[i].start.event->index] = true;
		m->deaths[set->lives[i].end.event->index] = true;
	}
	for (unsigned i = 0; i < set->causes.n; i++)
		cause_list_each(&set->causes, i, cause_take, m);
	for (uint32_t i = 0; i < nthreads; i++)
		if (m->reapers[i] != NO_THREAD)
			creator_from_end(m->graph, i, m->reapers[i]);
	free(m->births);
	free(m->deaths);
	free(m->reapers);
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
		const struct event_list *l =
		    type->errno_attribute < 0 ? NULL : trace_events(t, type);

		for (size_t k = 0; l && k < event_list_size(l); k++) {
			struct event e;

			event_list_look(l, k, &e);
			if (record_value(e.type, (unsigned)type->errno_attribute,
					 event_operand(t, &e).record)
				.integer == TIMED_OUT)
				time_out(&g->threads[trace_thread_index(t, e.thread)], e.time);
		}
	}
}

/* ---- the end of the run ---- */

/* A thread that ends its process may wait for the others to be ended: they cause nothing then. */
static void causes_drop(struct timeline *l, int64_t exit)
{
	for (size_t i = l->n; i-- > 0 && l->stretches[i].from >= exit;)
		l->stretches[i].cause_thread = NO_THREAD;
}

static void exits_take(struct graph *g, struct trace *t)
{
	int64_t *exits = array_new(t->nthreads, sizeof *exits);

	for (uint32_t i = 0; i < t->nthreads; i++)
		exits[i] = INT64_MIN;
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *type = t->spec->events[i];
		const struct event_list *l = type->exit ? trace_events(t, type) : NULL;

		for (size_t k = 0; l && k < event_list_size(l); k++) {
			struct event e;
			int64_t *at;

			event_list_look(l, k, &e);
			at = &exits[trace_thread_index(t, e.thread)];
			*at = e.time > *at ? e.time : *at;
		}
	}
	run_end_find(g, exits);
	for (uint32_t i = 0; i < t->nthreads; i++)
		if (exits[i] != INT64_MIN)
			causes_drop(&g->threads[i], exits[i]);
	free(exits);
}

const char *graph_until(const struct graph *g, uint32_t role, bool timed_out)
{
	return timed_out ? "a timer" : role == NO_ROLE ? NULL : g->waits[role].interval->until;
}

struct graph_waits graph_waits_of(const struct graph *g)
{
	struct graph_waits waits = {0};

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->threads[t];

		for (size_t i = 0; i < l->n; i++) {
			const struct stretch *s = &l->stretches[i];
			int64_t length = stretch_end(l, i) - s->from;

			if (s->activity != ACTIVITY_WAITING && s->activity != ACTIVITY_BLOCKED)
				continue;
			waits.time += length;
			if (s->cause_thread != NO_THREAD || graph_until(g, s->role, s->timed_out))
				waits.explained += length;
		}
	}
	return waits;
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

unsigned graph_spans(const struct trace *t)
{
	return 1u << SPANS_WAIT | 1u << SPANS_STATE | (has_tried_locks(t) ? 1u << SPANS_HOLD : 0);
}

void graph_announce(struct trace *t)
{
	if (has_tried_locks(t))
		tries_announce(t);
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->errno_attribute >= 0 || t->spec->events[i]->exit)
			trace_announce(t, t->spec->events[i]);
}

struct graph *graph_from(const struct instance_set *set)
{
	struct graph *g = array_zero(1, sizeof *g);
	struct graph_context m = {.graph = g, .set = set, .states_end = states_end(set)};

	g->trace = set->trace;
	g->threads = array_zero(g->trace->nthreads, sizeof *g->threads);
	g->nwaits = set->nwaits;
	g->waits = array_new(g->nwaits + 1, sizeof *g->waits);
	memcpy(g->waits, set->roles, g->nwaits * sizeof *g->waits);
	parallel_for(g->trace->nthreads, thread_make, &m);
	causes_give(&m);
	if (set->sorts >> SPANS_HOLD & 1 && has_tried_locks(set->trace))
		g->tried = tried_locks_find(g, set);
	time_outs_take(g, set->trace);
	exits_take(g, set->trace);
	guessed_wakers_find(g);
	needs_sort(g);
	return g;
}

struct graph *graph_of(struct trace *t)
{
	struct instance_set *set;
	struct graph *g;

	graph_announce(t);
	set = instance_set_of(t, graph_spans(t), NULL, 0);
	g = graph_from(set);
	instance_set_free(set);
	return g;
}

void graph_free(struct graph *g)
{
	for (unsigned i = 0; i < g->trace->nthreads; i++)
		free(g->threads[i].stretches);
	free(g->threads);
	free(g->waits);
	free(g->needs.at);
	free(g->tried.at);
	free(g->first_need);
	free(g);
}
