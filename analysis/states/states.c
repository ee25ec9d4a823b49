#include "analysis/states/states.h"
#include "analysis/activity/on_time.h"
#include "analysis/activity/thread_walk.h"
#include "base/array.h"
#include "base/parallel.h"
#include "match/join/match.h"
#include "match/join/thread_join.h"
#include "spec/layout.h"
#include <stdlib.h>
#include <string.h>

enum { PROCESSOR_BITS = 64 };

/* A state as it comes by; open: it has no end, and lasts to that of the thread. */
struct logged_state {
	enum thread_state state;
	int64_t start, end;
	bool open, sampled;
	int processor; /* -1: not known */
};

struct state_sources {
	struct trace *trace;
	/* of states with a name, whose events come by in the thread */
	struct role *roles;
	unsigned nroles;
	int *processor;           /* by role: the attribute of the begin; -1: none */
	struct join_sources join; /* of the roles that are paired within threads */
	/* by role: it is one of them; the others the engine finds */
	bool *joined;
	void (*visit)(void *context, size_t thread, const struct logged_state *span);
	void *context;
};

/* ---- which events ---- */

/*
 * Pairs a state within threads if an end ends all that have begun since the end before, and no
 * other.
 */
static bool role_join(struct state_sources *s, uint32_t role)
{
	const struct join_source *added = join_sources_add(&s->join, s->roles[role].interval, role);

	if (!added)
		return false;
	if (added->rule == JOIN_ALL && !added->keyed && !added->start.filter && !added->end.filter)
		return true;
	join_sources_drop(&s->join);
	return false;
}

static void sources_open(struct state_sources *s, struct trace *t)
{
	unsigned n;
	struct role *all = roles_of_kind(t->spec, KIND_STATE, &n);

	*s = (struct state_sources){.trace = t, .roles = array_new(n + 1, sizeof *s->roles)};
	s->processor = array_new(n + 1, sizeof *s->processor);
	s->joined = array_zero(n + 1, sizeof *s->joined);
	join_sources_open(&s->join, t);
	for (unsigned i = 0; i < n; i++)
		if (all[i].state != STATE_OTHER && all[i].same_thread) {
			s->processor[s->nroles] = role_processor(&all[i]);
			s->roles[s->nroles++] = all[i];
		}
	free(all);
	for (uint32_t i = 0; i < s->nroles; i++)
		s->joined[i] = role_join(s, i);
	join_sources_ready(&s->join);
}

static void sources_close(struct state_sources *s)
{
	join_sources_close(&s->join);
	free(s->joined);
	free(s->processor);
	free(s->roles);
}

/* ---- the walk of a thread ---- */

struct state_walk {
	const struct state_sources *sources;
	size_t thread;
};

static void state_end(struct state_walk *w, const struct join_start *start, int64_t end, bool open)
{
	const struct state_sources *s = w->sources;
	const struct role *role = &s->roles[start->number];
	int attribute = s->processor[start->number], processor = -1;

	if (attribute >= 0)
		processor = (int)record_value(role->start.event, (unsigned)attribute, start->record)
				.integer;
	s->visit(s->context, w->thread,
		 &(struct logged_state){role->state, start->time, end, open,
					role->interval->sampled, processor});
}

static void state_pair(void *context, const struct join_start *start, const struct join_event *end)
{
	state_end(context, start, end->time, false);
}

static void state_open(void *context, const struct join_start *start)
{
	struct state_walk *w = context;
	const struct state_sources *s = w->sources;
	int64_t last = s->trace->threads[w->thread].last;
	int64_t end = on_time_end(s->trace, &s->roles[start->number]);

	end = end < last ? end : last;
	state_end(w, start, end > start->time ? end : start->time, true);
}

static void thread_visit(void *context, size_t thread, unsigned worker)
{
	static const struct join_visitor visitor = {.pair = state_pair};
	const struct state_sources *s = context;
	struct state_walk w = {s, thread};
	struct thread_join join;
	struct thread_walk e;

	(void)worker;
	thread_join_open(&join, &s->join, thread);
	thread_walk_open(&e, s->trace, thread);
	while (thread_walk_next(&e))
		thread_join_put(&join, &(struct join_event){e.time, e.record, e.type}, &visitor,
				&w);
	thread_join_rest(&join, state_open, &w);
	thread_join_close(&join);
}

/* States whose ends ask for more than the thread: those that the engine finds. */
static void found_visit(const struct state_sources *s, uint32_t role)
{
	struct matches *m = match_interval(s->trace, s->roles[role].interval);

	for (size_t i = 0; i < m->count; i++) {
		struct instance in;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		s->visit(s->context, trace_thread_index(s->trace, in.anchor.thread),
			 &(struct logged_state){s->roles[role].state, in.start, in.end, false,
						s->roles[role].interval->sampled, -1});
	}
	matches_free(m);
}

/* ---- sums ---- */

static void total_add(struct state_total *t, int64_t time)
{
	if (!t->times || time < t->shortest)
		t->shortest = time;
	if (time > t->longest)
		t->longest = time;
	t->total += time;
	t->times++;
}

struct state_sums {
	struct states *states;
	struct states_window window;
	int *last; /* by thread: the processor that it ran on last; -1 */
};

/* counts: what began in the window; before it the last processor is noted. */
static void processor_add(struct state_sums *s, size_t thread, int processor, bool counts)
{
	struct thread_states *t = &s->states->threads[thread];

	if (processor < 0)
		return;
	t->migrations += counts && s->last[thread] >= 0 && s->last[thread] != processor;
	s->last[thread] = processor;
}

static void processor_note(struct thread_states *t, int processor)
{
	if (processor >= 0)
		t->processors |= (uint64_t)1
				 << (processor < PROCESSOR_BITS ? processor : PROCESSOR_BITS - 1);
}

static bool is_within(const struct states_window *w, int64_t time)
{
	return w->from <= time && time <= w->to;
}

static void span_sum(void *context, size_t thread, const struct logged_state *span)
{
	struct state_sums *s = context;
	struct thread_states *t = &s->states->threads[thread];

	int64_t from = span->start, to = span->end;
	bool there = states_window_cut(&s->window, &from, &to);

	t->known = true;
	t->sampled |= span->sampled;
	if (there)
		total_add(&t->states[span->state], to - from);
	if (span->state != STATE_RUNNING)
		return;
	t->switches += !span->open && span->end < t->ended && is_within(&s->window, span->end);
	processor_add(s, thread, span->processor, is_within(&s->window, span->start));
	if (there)
		processor_note(t, span->processor);
}

/* ---- lives ---- */

static void life_take(struct states *s, const struct trace *t, const struct role *r,
		      struct matches *m, bool *births)
{
	const struct moments *starts = r->start.side == SIDE_ANCHOR ? &m->anchors : &m->partners;
	const struct moments *ends = r->start.side == SIDE_ANCHOR ? &m->partners : &m->anchors;
	struct event e;

	births[r->start.event->index] = true;
	for (size_t i = 0; i < starts->count; i++) {
		moments_look(starts, i, &e);
		s->threads[trace_thread_index(t, e.thread)].begins = true;
	}
	for (size_t i = 0; i < ends->count; i++) {
		moments_look(ends, i, &e);
		s->threads[trace_thread_index(t, e.thread)].ends = true;
	}
}

static void lives_find(struct states *s, struct trace *t, bool *births)
{
	unsigned n;
	struct role *lives = roles_of_threads(t->spec, &n);

	for (unsigned i = 0; i < n; i++) {
		struct matches *m = match_interval(t, lives[i].interval);

		life_take(s, t, &lives[i], m, births);
		matches_free(m);
	}
	free(lives);
}

/* The cause of a birth: its earlier event is the creation. */
static void creators_find(struct states *s, struct trace *t, const bool *births)
{
	unsigned n;
	struct role *causes = roles_of_kind(t->spec, KIND_CAUSE, &n);

	for (unsigned i = 0; i < n; i++) {
		struct matches *m;

		if (!births[causes[i].end.event->index])
			continue;
		m = match_interval(t, causes[i].interval);
		for (size_t k = 0; k < m->count; k++) {
			bool forwards = causes[i].start.side == SIDE_ANCHOR;
			struct thread_states *child;
			struct instance in;

			if (m->partner_of[k] == UNMATCHED)
				continue;
			matches_look(m, k, &in);
			if (in.anchor.thread == in.partner.thread)
				continue;
			child = &s->threads[trace_thread_index(
			    t, (forwards ? &in.partner : &in.anchor)->thread)];
			child->creator =
			    trace_thread_index(t, (forwards ? &in.anchor : &in.partner)->thread);
			child->created = in.start;
		}
		matches_free(m);
	}
	free(causes);
}

static void life_cut(struct thread_states *t, const struct states_window *window)
{
	int64_t from = t->created, to = t->ended;

	t->life = states_window_cut(window, &from, &to) ? to - from : 0;
}

struct states *states_of(struct trace *t, struct states_window window)
{
	struct states *s = array_zero(1, sizeof *s);
	bool *births = array_zero(t->spec->nevents + 1, sizeof *births);
	struct state_sources sources;
	struct state_sums summing = {s, window, array_new(t->nthreads, sizeof *summing.last)};

	s->threads = array_zero(t->nthreads, sizeof *s->threads);
	for (unsigned i = 0; i < t->nthreads; i++) {
		s->threads[i].created = t->threads[i].first;
		s->threads[i].ended = t->threads[i].last;
		s->threads[i].creator = NO_CREATOR;
		summing.last[i] = -1;
	}
	lives_find(s, t, births);
	creators_find(s, t, births);
	for (unsigned i = 0; i < t->nthreads; i++)
		life_cut(&s->threads[i], &window);
	sources_open(&sources, t);
	sources.visit = span_sum;
	sources.context = &summing;
	s->known = sources.nroles > 0;
	for (unsigned i = 0; i < sources.nroles; i++)
		s->processors |= sources.processor[i] >= 0;
	parallel_for(t->nthreads, thread_visit, &sources);
	for (uint32_t i = 0; i < sources.nroles; i++)
		if (!sources.joined[i])
			found_visit(&sources, i);
	sources_close(&sources);
	free(summing.last);
	free(births);
	return s;
}

void states_free(struct states *s)
{
	free(s->threads);
	free(s);
}

int64_t thread_unexplained(const struct thread_states *t)
{
	int64_t rest = t->life;

	for (enum thread_state s = STATE_RUNNING; s < NSTATES; s++)
		rest -= t->states[s].total;
	return rest;
}
