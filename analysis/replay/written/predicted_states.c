#include "analysis/replay/written/predicted_states.h"
#include "analysis/replay/answer/time_map.h"
#include "trace/format/bytes.h"
#include "trace/open/opened.h"
#include <stdlib.h>
#include <string.h>

/* What the basis of a state says. */
static const char text[] = "replay";

/* The replay says of a thread that it is in a state. */
struct predicted_state {
	int64_t from, to;
	enum thread_state state;
	uint32_t processor; /* if it runs */
};

typedef VECTOR(struct predicted_state) state_spans;

/* How the specification has a state. */
struct state_form {
	const struct event_type *start, *end; /* NULL: it does not have this state */
	int processor;                        /* attribute of the start; -1: none */
};

struct predicted_states {
	const struct prediction *prediction;
	struct state_form forms[NSTATES];
	state_spans *threads;
};

/* ---- which events ---- */

static void forms_find(struct predicted_states *s)
{
	unsigned n;
	struct role *roles = roles_of_kind(s->prediction->model->trace->spec, KIND_STATE, &n);

	for (unsigned i = 0; i < n; i++) {
		const struct role *r = &roles[i];

		if (r->state != STATE_OTHER && r->same_thread && !s->forms[r->state].start)
			s->forms[r->state] =
			    (struct state_form){r->start.event, r->end.event, role_processor(r)};
	}
	free(roles);
}

/* ---- the states of each thread ---- */

static void span_add(state_spans *all, int64_t from, int64_t to, enum thread_state state)
{
	if (from < to && state != STATE_OTHER)
		*vector_add(all) = (struct predicted_state){from, to, state, 0};
}

/* Adds what the replay says between two times; *at: in its states, goes on from there. */
static void known_add(state_spans *all, const replay_states *states, size_t *at, int64_t from,
		      int64_t to)
{
	while (*at + 1 < states->n && states->at[*at + 1].from <= from)
		++*at;
	for (size_t i = *at; i < states->n && states->at[i].from < to; i++) {
		int64_t begin = states->at[i].from,
			end = i + 1 < states->n ? states->at[i + 1].from : to;

		span_add(all, begin > from ? begin : from, end < to ? end : to,
			 states->at[i].state);
	}
}

/*
 * Returns since when a created thread that has not begun yet waits for a processor; before: when it
 * begins.
 */
static int64_t ready_since(const struct prediction *p, uint32_t thread, int64_t before)
{
	const struct operations *o = p->changed_operations;
	size_t first = o->first[thread];
	uint32_t waker = p->changed->wakers[first];
	int64_t time;

	if (o->all.at[first].kind != OPERATION_WAIT || waker == NO_NUMBER)
		return before;
	time = p->changed->done[waker] + o->all.at[first].time;
	return time < before ? time : before;
}

/* Only while a state of the recorded run is known is there one of the predicted run. */
static void thread_find(struct predicted_states *s, uint32_t thread, struct time_map *map)
{
	const struct model *m = s->prediction->model;
	const span_vector *recorded = instance_spans(m->set, SPANS_STATE, thread);
	const replay_states *states = &s->prediction->changed->states[thread];
	size_t at = 0, i = 0;

	time_map_make(map, s->prediction->changed_operations, s->prediction->changed, thread);
	while (i < recorded->n) {
		int64_t from = recorded->at[i].start, to = recorded->at[i].end,
			last = m->graph->threads[thread].end;

		for (i++; i < recorded->n && recorded->at[i].start <= to; i++)
			if (recorded->at[i].end > to)
				to = recorded->at[i].end;
		from = from > m->graph->threads[thread].begin
			   ? time_map_get(map, from)
			   : ready_since(s->prediction, thread, time_map_get(map, from));
		known_add(&s->threads[thread], states, &at, from,
			  time_map_get(map, to < last ? to : last));
	}
}

/* ---- processors ---- */

/* A thread gets a processor, or leaves it. */
struct processor_change {
	int64_t time;
	struct predicted_state *span;
	uint32_t thread;
	bool begins;
};

static int by_time(const void *a, const void *b)
{
	const struct processor_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->begins != y->begins)
		return x->begins - y->begins;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* A thread runs where it ran before, if nobody else does, or else on the first that is free. */
static void processors_give(struct predicted_states *s)
{
	uint32_t nthreads = s->prediction->model->trace->nthreads;
	VECTOR(struct processor_change) turns = {0};
	uint32_t *last = array_zero(nthreads, sizeof *last);
	bool *busy = array_zero(nthreads, sizeof *busy);

	for (uint32_t t = 0; t < nthreads; t++)
		for (size_t i = 0; i < s->threads[t].n; i++) {
			struct predicted_state *span = &s->threads[t].at[i];

			if (span->state != STATE_RUNNING)
				continue;
			*vector_add(&turns) = (struct processor_change){span->from, span, t, true};
			*vector_add(&turns) = (struct processor_change){span->to, span, t, false};
		}
	if (turns.n)
		qsort(turns.at, turns.n, sizeof *turns.at, by_time);
	for (size_t i = 0; i < turns.n; i++) {
		const struct processor_change *turn = &turns.at[i];

		if (turn->begins) {
			uint32_t p = last[turn->thread];

			for (uint32_t k = 0; busy[p]; k++)
				p = k;
			turn->span->processor = last[turn->thread] = p;
		}
		busy[turn->span->processor] = turn->begins;
	}
	free(turns.at);
	free(last);
	free(busy);
}

struct predicted_states *predicted_states_of(const struct prediction *p)
{
	struct predicted_states *s = array_zero(1, sizeof *s);
	uint32_t nthreads = p->model->trace->nthreads;
	struct time_map map = {0};

	s->prediction = p;
	s->threads = array_zero(nthreads, sizeof *s->threads);
	forms_find(s);
	for (uint32_t t = 0; t < nthreads; t++)
		thread_find(s, t, &map);
	time_map_free(&map);
	processors_give(s);
	return s;
}

void predicted_states_free(struct predicted_states *s)
{
	for (uint32_t t = 0; t < s->prediction->model->trace->nthreads; t++)
		free(s->threads[t].at);
	free(s->threads);
	free(s);
}

/* ---- the events of one thread ---- */

/* At most three events lead from one state to the next. */
enum { MOST_EVENTS = 8 };

struct state_events {
	const struct predicted_states *states;
	const struct id_table *ids; /* of the thread's log; NULL */
	const state_spans *spans;
	size_t next;  /* of the spans */
	int64_t time; /* time not yet assigned to a state */
	const struct event_type *types[MOST_EVENTS];
	uint32_t processor;
	unsigned waiting, given;
	bool *replaced;    /* by type */
	uint32_t *numbers; /* by type: the id in the log; 0: it has none */
	unsigned char *record;
	struct state_event event;
};

static void numbers_find(struct state_events *e)
{
	for (uint32_t id = 0; id < RECORD_IDS; id++)
		if (e->ids->rows[id].size && e->ids->rows[id].type != NO_TYPE)
			e->numbers[e->ids->rows[id].type] = id;
}

/* Whether two types are of one specification. */
static bool are_together(const struct state_events *e, const struct event_type *a,
			 const struct event_type *b)
{
	uint32_t x = e->numbers[a->index], y = e->numbers[b->index];

	for (unsigned i = 0; i < e->ids->nclaims; i++) {
		const struct claim *c = &e->ids->claims[i];

		if (x - c->base < c->schema->spec->nevents &&
		    y - c->base < c->schema->spec->nevents)
			return true;
	}
	return false;
}

/*
 * What a line of their own specification leads to or from a state follows from the states: a
 * migration.
 */
static void lines_replace(struct state_events *e)
{
	const struct spec *spec = e->states->prediction->model->trace->spec;
	unsigned n;
	struct role *lines = roles_of_kind(spec, KIND_NONE, &n);
	bool *states = array_zero(spec->nevents + 1, sizeof *states);

	memcpy(states, e->replaced, spec->nevents * sizeof *states);
	for (unsigned i = 0; i < n; i++) {
		const struct event_type *a = lines[i].start.event, *b = lines[i].end.event;

		if (role_takes_time(&lines[i]) || !lines[i].same_thread ||
		    states[a->index] == states[b->index] || !are_together(e, a, b))
			continue;
		e->replaced[a->index] = e->replaced[b->index] = true;
	}
	free(states);
	free(lines);
}

struct state_events *state_events_open(const struct predicted_states *s, uint32_t thread)
{
	const struct trace *t = s->prediction->model->trace;
	struct state_events *e = array_zero(1, sizeof *e);

	e->states = s;
	e->ids = opened_of(t)->logs[thread].ids;
	e->spans = &s->threads[thread];
	e->replaced = array_zero(t->spec->nevents + 1, sizeof *e->replaced);
	e->numbers = array_zero(t->spec->nevents + 1, sizeof *e->numbers);
	if (!e->spans->n)
		return e;
	numbers_find(e);
	for (enum thread_state x = STATE_RUNNING; x < NSTATES; x++)
		if (s->forms[x].start)
			e->replaced[s->forms[x].start->index] =
			    e->replaced[s->forms[x].end->index] = true;
	lines_replace(e);
	return e;
}

void state_events_close(struct state_events *e)
{
	free(e->record);
	free(e->replaced);
	free(e->numbers);
	free(e);
}

bool state_events_replace(const struct state_events *e, uint32_t type)
{
	return e->replaced[type];
}

/* Returns the state that a type of events begins; STATE_OTHER: none. */
static enum thread_state begun_by(const struct state_events *e, const struct event_type *type)
{
	for (enum thread_state x = STATE_RUNNING; x < NSTATES; x++)
		if (type && e->states->forms[x].start == type)
			return x;
	return STATE_OTHER;
}

static void type_add(struct state_events *e, const struct event_type *type)
{
	if (type && e->waiting < MOST_EVENTS)
		e->types[e->waiting++] = type;
}

/*
 * Adds what ends a state: what that begins ends at once, unless it is the next one. Returns whether
 * it is.
 */
static bool end_add(struct state_events *e, enum thread_state state, enum thread_state next)
{
	for (unsigned i = 0; state != STATE_OTHER && i < NSTATES; i++) {
		const struct event_type *end = e->states->forms[state].end;

		type_add(e, end);
		state = begun_by(e, end);
		if (state == next && next != STATE_OTHER)
			return true;
	}
	return false;
}

/* Finds the events of the next change, from one state to another or to an unknown one. */
static bool change_find(struct state_events *e)
{
	const struct predicted_state *last = e->next ? &e->spans->at[e->next - 1] : NULL;
	const struct predicted_state *now = e->next < e->spans->n ? &e->spans->at[e->next] : NULL;
	bool gap = last && (!now || now->from > last->to) && e->time < last->to;

	e->waiting = e->given = 0;
	if (!last && !now)
		return false;
	if (gap) {
		e->time = last->to;
		/*
		 * at the end the last state stays open rather than that others follow that were not
		 */
		if (now || begun_by(e, e->states->forms[last->state].end) == STATE_OTHER)
			end_add(e, last->state, STATE_OTHER);
		return true;
	}
	if (!now)
		return false;
	e->processor = now->processor;
	if (!last || now->from > last->to || !end_add(e, last->state, now->state))
		type_add(e, e->states->forms[now->state].start);
	e->time = now->from;
	e->next++;
	return true;
}

static void record_make(struct state_events *e, const struct event_type *type)
{
	size_t padded = (sizeof text - 1 + 3) & ~(size_t)3, each = 4 + padded;
	size_t size = type->fixed_size + type->nstrings * each;
	int processor = e->states->forms[STATE_RUNNING].processor;

	free(e->record);
	e->record = array_zero(size, 1);
	for (unsigned i = 0; i < type->nstrings; i++) {
		write_32(e->record + type->fixed_size + i * each, sizeof text - 1);
		memcpy(e->record + type->fixed_size + i * each + 4, text, sizeof text - 1);
	}
	if (type == e->states->forms[STATE_RUNNING].start && processor >= 0)
		write_32(e->record + type->attributes[processor].offset, e->processor);
	e->event = (struct state_event){e->time, e->numbers[type->index], e->record, size};
}

const struct state_event *state_events_next(struct state_events *e, int64_t before)
{
	while (e->given == e->waiting)
		if (!change_find(e))
			return NULL;
	if (e->time >= before)
		return NULL;
	record_make(e, e->types[e->given++]);
	return &e->event;
}
