#include "analysis/why/switches.h"
#include "analysis/why/axes.h"
#include "base/search.h"
#include "base/sort.h"
#include "trace/address.h"
#include <math.h>
#include <stdlib.h>

/* What a switch costs where the trace does not say it: doc/decisions/analysis.md. */
static const int64_t assumed_cost = 2000;
/* From so many switches on, the median of what leads to them is known. */
enum { LEAST_LEAVES = 20 };
/* An event ends a turn that ends so soon after it: a system call and a switch, no computing. */
static const int64_t at_once = 20000;

/* ---- turns ---- */

static enum thread_state state_of(const struct instance_set *set, const struct instance_span *s)
{
	return span_role(set, s)->state;
}

static enum turn_end turn_end_of(const struct instance_set *set, const span_vector *states,
				 size_t i)
{
	const struct instance_span *end = states->at + states->n, *next = &states->at[i + 1];

	/* a state of no time stands behind the one that begins with it */
	while (next < end && next->start < states->at[i].end)
		next++;
	if (next == end || next->start != states->at[i].end)
		return TURN_UNKNOWN;
	switch (state_of(set, next)) {
	case STATE_READY:
	case STATE_RUNNING: /* it was ready for no time */
		return TURN_CUT;
	case STATE_BLOCKED:
		return TURN_BLOCKS;
	default:
		return TURN_UNKNOWN;
	}
}

static void turns_find(const struct instance_set *set, uint32_t thread, turn_list *turns)
{
	const span_vector *states = instance_spans(set, SPANS_STATE, thread);
	int64_t last = set->trace->threads[thread].last;

	for (size_t i = 0; i < states->n; i++) {
		const struct instance_span *s = &states->at[i];

		if (state_of(set, s) != STATE_RUNNING)
			continue;
		*vector_add(turns) = (struct thread_turn){s->start, s->end < last ? s->end : last,
							  turn_end_of(set, states, i)};
	}
}

/*
 * Returns the turn in which a thread leaves its processor at once after a time; NULL: it does not.
 * *at: a turn that does not end after the time, or the first one; it is moved on.
 */
static const struct thread_turn *turn_left(const turn_list *turns, size_t *at, int64_t time,
					   enum turn_end end)
{
	const struct thread_turn *t;

	while (*at < turns->n && turns->at[*at].to < time)
		++*at;
	t = *at < turns->n ? &turns->at[*at] : NULL;
	return t && t->end == end && t->from <= time && t->to - time <= at_once ? t : NULL;
}

/* ---- events that end turns ---- */

/* Calls of a program that ended turns, one after the other. */
struct ended_walk {
	const struct event_list *list;
	size_t at;
	size_t *turns;                   /* by thread: the turn that the walk has come to */
	const struct thread_turn **last; /* by thread: each turn has one end */
};

static struct ended_walk ended_walk_begin(struct trace *t, const struct switches *s,
					  const char *event, int64_t from)
{
	const struct event_type *type = spec_event(t->spec, event);
	struct ended_walk w = {.list = type ? trace_events(t, type) : NULL};

	w.at = w.list ? event_list_from(w.list, from - at_once) : 0;
	w.last = array_zero(t->nthreads, sizeof *w.last);
	w.turns = array_zero(t->nthreads, sizeof *w.turns);
	for (uint32_t i = 0; i < t->nthreads; i++)
		w.turns[i] =
		    lower_bound(k, 0, s->threads[i].n, s->threads[i].at[k].to < from - at_once);
	return w;
}

/* Returns the next turn that an event ended, and the event; NULL behind the last. */
static const struct thread_turn *ended_walk_next(struct ended_walk *w, struct trace *t,
						 const struct switches *s, int64_t to,
						 struct event *e)
{
	while (w->list && w->at < event_list_size(w->list)) {
		const struct thread_turn *turn;
		uint32_t thread;

		event_list_look(w->list, w->at++, e);
		if (e->time > to)
			break;
		thread = trace_thread_index(t, e->thread);
		turn = turn_left(&s->threads[thread], &w->turns[thread], e->time, TURN_CUT);
		if (!turn || turn == w->last[thread])
			continue;
		w->last[thread] = turn;
		return turn;
	}
	free(w->last);
	free(w->turns);
	return NULL;
}

/* ---- what a switch costs ---- */

typedef VECTOR(int64_t) time_list;

static void yields_collect(const struct instance_set *set, const struct switches *s,
			   time_list *leaves)
{
	struct ended_walk w = ended_walk_begin(set->trace, s, YIELD_EVENT, 0);
	const struct thread_turn *turn;
	struct event e;

	while ((turn = ended_walk_next(&w, set->trace, s, INT64_MAX, &e)))
		*vector_add(leaves) = turn->to - e.time;
}

static void waits_collect(const struct instance_set *set, const struct switches *s,
			  time_list *leaves)
{
	for (uint32_t t = 0; t < s->nthreads; t++) {
		const span_vector *waits = instance_spans(set, SPANS_WAIT, t);
		size_t at = 0;

		for (size_t i = 0; i < waits->n; i++) {
			int64_t start = waits->at[i].start;
			const struct thread_turn *turn =
			    turn_left(&s->threads[t], &at, start, TURN_BLOCKS);

			if (turn && span_role(set, &waits->at[i])->kind == KIND_WAIT)
				*vector_add(leaves) = turn->to - start;
		}
	}
}

/* Switching in costs the kernel as much as switching out, hence twice the median. */
static void cost_set(const struct instance_set *set, struct switches *s)
{
	time_list leaves = {0};

	yields_collect(set, s, &leaves);
	if (leaves.n < LEAST_LEAVES)
		waits_collect(set, s, &leaves);
	s->measured = leaves.n >= LEAST_LEAVES;
	s->cost = s->measured ? 2 * median_word(leaves.at, leaves.n, 0) : assumed_cost;
	free(leaves.at);
}

void switches_announce(struct trace *t)
{
	const struct event_type *type = spec_event(t->spec, YIELD_EVENT);

	if (type)
		trace_announce(t, type);
}

struct switches *switches_of(const struct instance_set *set)
{
	struct switches *s = array_zero(1, sizeof *s);

	s->nthreads = set->trace->nthreads;
	s->threads = array_zero(s->nthreads, sizeof *s->threads);
	for (uint32_t t = 0; t < s->nthreads; t++)
		turns_find(set, t, &s->threads[t]);
	cost_set(set, s);
	return s;
}

void switches_free(struct switches *s)
{
	for (uint32_t t = 0; t < s->nthreads; t++)
		free(s->threads[t].at);
	free(s->threads);
	free(s);
}

/* ---- of a focus ---- */

static bool ends_in(const struct thread_turn *t, const struct focus *f)
{
	return t->end == TURN_CUT && t->to > f->from && t->to <= f->to;
}

struct cut_turns switches_cut(const struct evidence *g, const struct focus *f)
{
	struct cut_turns cut = {0};

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const turn_list *turns = &g->switches->threads[t];

		for (size_t i = 0; f->threads[t] && i < turns->n; i++)
			if (ends_in(&turns->at[i], f)) {
				cut.n++;
				cut.time += turns->at[i].to - turns->at[i].from;
			}
	}
	return cut;
}

int64_t thread_ran(const struct evidence *g, uint32_t thread, int64_t from, int64_t to)
{
	const turn_list *turns = &g->switches->threads[thread];
	int64_t ran = 0;

	for (size_t i = 0; i < turns->n; i++) {
		int64_t a = turns->at[i].from > from ? turns->at[i].from : from;
		int64_t b = turns->at[i].to < to ? turns->at[i].to : to;

		ran += a < b ? b - a : 0;
	}
	return ran;
}

static int64_t ran_in(const struct evidence *g, const struct focus *f)
{
	int64_t ran = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		ran += f->threads[t] ? thread_ran(g, t, f->from, f->to) : 0;
	return ran;
}

static double switching_time(const struct evidence *g, const struct focus *f)
{
	return (double)switches_cut(g, f).n * (double)g->switches->cost;
}

double switching_part(const struct evidence *g, const struct focus *f)
{
	int64_t ran = ran_in(g, f);

	return ran ? switching_time(g, f) / (double)ran : 0;
}

double switching_cost(const struct evidence *g, const struct focus *f)
{
	return switching_time(g, f) / g->idle->processors;
}

double switched_part(const struct evidence *g, const struct focus *f)
{
	double most = switching_cost(g, f);

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const turn_list *turns = &g->switches->threads[t];
		uint64_t n = 0;

		for (size_t i = 0; f->threads[t] && i < turns->n; i++)
			n += ends_in(&turns->at[i], f);
		most = fmax(most, (double)n * (double)g->switches->cost);
	}
	return f->from < f->to ? most / (double)(f->to - f->from) : 0;
}

double ended_part(const struct evidence *g, const struct focus *f, const char *event)
{
	struct ended_walk w = ended_walk_begin(g->trace, g->switches, event, f->from);
	uint64_t n = switches_cut(g, f).n, ended = 0;
	const struct thread_turn *turn;
	struct event e;

	while ((turn = ended_walk_next(&w, g->trace, g->switches, f->to, &e)))
		ended += ends_in(turn, f) && f->threads[trace_thread_index(g->trace, e.thread)];
	return n ? (double)ended / (double)n : 0;
}

void ended_sites(const struct evidence *g, const struct focus *f, const char *event,
		 struct axis_sums *sums)
{
	const struct event_type *type = spec_event(g->trace->spec, event);
	struct ended_walk w = ended_walk_begin(g->trace, g->switches, event, f->from);
	const struct thread_turn *turn;
	struct event e;
	int code = -1;

	for (unsigned i = 0; type && i < type->nattributes && code < 0; i++)
		if ((type->attributes[i].type == TYPE_CODE ||
		     type->attributes[i].type == TYPE_CODE32))
			code = (int)i;
	while ((turn = ended_walk_next(&w, g->trace, g->switches, f->to, &e)))
		if (code >= 0 && ends_in(turn, f) &&
		    f->threads[trace_thread_index(g->trace, e.thread)])
			axis_sums_add(sums, address_key(g->trace, &e, (unsigned)code), 1);
}
