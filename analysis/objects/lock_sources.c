#include "analysis/objects/lock_sources.h"
#include "match/join/match.h"
#include <stdlib.h>

/* ---- what events do by themselves ---- */

static bool is_thread_equality(const struct comparison *c)
{
	return !c->negated && c->source->left->op == EXPR_THREAD &&
	       c->source->right->op == EXPR_THREAD;
}

static bool is_object_equality(const struct comparison *c, const struct role *r)
{
	const struct expr *left = c->source->left, *right = c->source->right;
	const struct expr *start = left->side == r->start.side ? left : right;
	const struct expr *end = start == left ? right : left;

	return !c->negated && left->op == EXPR_ATTRIBUTE && right->op == EXPR_ATTRIBUTE &&
	       left->side != right->side && (int)start->attribute == r->start.object &&
	       (int)end->attribute == r->end.object;
}

/* Sets keyed. Returns whether the ends meet by the thread, and by the object or nothing else. */
static bool is_walked(struct lock_source *s)
{
	const struct plan *p = s->plan;
	bool thread = false;

	for (unsigned i = 0; i < p->nequal; i++) {
		if (is_thread_equality(&p->equal[i]))
			thread = true;
		else if (is_object_equality(&p->equal[i], &s->role))
			s->keyed = true;
		else
			return false;
	}
	return thread && p->norder == 0 && program_empty(p->rest);
}

static enum lock_take take_of(const struct interval *i)
{
	if (i->nested)
		return LOCK_TAKE_NEWEST;
	if (i->direction == FORWARDS)
		return i->once ? LOCK_TAKE_OLDEST : LOCK_TAKE_ALL;
	return i->once ? LOCK_TAKE_NEWEST : LOCK_TAKE_NONE;
}

static void source_add(struct lock_sources *s, const struct role *r)
{
	struct lock_source *source = &s->at[s->n++];

	*source = (struct lock_source){
	    .role = *r,
	    .hold = r->kind == KIND_HOLD,
	    .take = take_of(r->interval),
	    .plan = plan_new(r->interval),
	};
	source->marked = !is_walked(source);
}

static void roles_add(struct lock_sources *s, enum interval_kind kind)
{
	unsigned n;
	struct role *roles = roles_of_kind(s->trace->spec, kind, &n);

	for (unsigned i = 0; i < n; i++)
		source_add(s, &roles[i]);
	free(roles);
}

static void actions_make(struct lock_sources *s)
{
	unsigned nevents = s->trace->spec->nevents, n = 0;

	s->actions = array_zero(nevents + 1, sizeof *s->actions);
	s->lists = array_new(2 * s->n + 1, sizeof *s->lists);
	for (unsigned type = 0; type < nevents; type++) {
		struct lock_actions *a = &s->actions[type];

		a->list = &s->lists[n];
		for (int begins = 0; begins <= 1; begins++)
			for (unsigned i = 0; i < s->n; i++) {
				const struct role *r = &s->at[i].role;
				const struct role_end *end = begins ? &r->start : &r->end;

				if (!s->at[i].marked && end->event->index == type)
					s->lists[n++] = (struct lock_action){i, begins};
			}
		a->n = (unsigned)(&s->lists[n] - a->list);
	}
}

/* ---- what is found first ---- */

static uint32_t thread_index(const struct trace *t, const struct event *e)
{
	return (uint32_t)(trace_thread(t, e->thread) - t->threads);
}

static void pair_add(struct lock_sources *s, unsigned source, uint32_t pair,
		     const struct instance *in)
{
	bool forwards = s->at[source].role.start.side == SIDE_ANCHOR;
	const struct event *start = forwards ? &in->anchor : &in->partner;
	const struct event *end = forwards ? &in->partner : &in->anchor;
	struct lock_mark mark = {
	    .time = in->start,
	    .thread = thread_index(s->trace, start),
	    .source = source,
	    .pair = pair,
	    .begins = true,
	    .order = in->start == in->end ? MARK_INSTANT : MARK_BEGINS,
	    .event = *start,
	};

	*vector_add(&s->marks) = mark;
	mark.time = in->end;
	mark.begins = false;
	mark.order = in->start == in->end ? MARK_INSTANT : MARK_ENDS;
	mark.event = *end;
	*vector_add(&s->marks) = mark;
}

/* The last begin of each thread is open if nothing that can be such an end comes after it. */
static void open_add(struct lock_sources *s, unsigned source, const struct matches *m, uint32_t *pairs)
{
	bool forwards = s->at[source].role.start.side == SIDE_ANCHOR;
	const struct moments *starts = forwards ? &m->anchors : &m->partners;
	const struct moments *ends = forwards ? &m->partners : &m->anchors;
	struct event *last = array_zero(s->trace->nthreads, sizeof *last), e;

	for (size_t i = 0; i < starts->count; i++) {
		moments_look(starts, i, &e);
		last[thread_index(s->trace, &e)] = e;
	}
	for (size_t i = 0; i < ends->count; i++) {
		struct event *start;

		moments_look(ends, i, &e);
		start = &last[thread_index(s->trace, &e)];
		if (start->record && e.time >= start->time && e.record != start->record)
			start->record = NULL;
	}
	for (uint32_t t = 0; t < s->trace->nthreads; t++)
		if (last[t].record)
			*vector_add(&s->marks) = (struct lock_mark){
			    .time = last[t].time, .thread = t, .source = source, .pair = (*pairs)++,
			    .order = MARK_BEGINS, .begins = true, .event = last[t]};
	free(last);
}

static void instances_add(struct lock_sources *s, unsigned source, uint32_t *pairs)
{
	struct matches *m = match_interval(s->trace, s->at[source].role.interval);

	for (size_t i = 0; i < m->count; i++) {
		struct instance in;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		pair_add(s, source, (*pairs)++, &in);
	}
	open_add(s, source, m, pairs);
	matches_free(m);
}

static int mark_order(const void *a, const void *b)
{
	const struct lock_mark *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->pair != y->pair)
		return x->pair < y->pair ? -1 : 1;
	return y->begins - x->begins;
}

static void marks_make(struct lock_sources *s)
{
	uint32_t pairs = 0;
	size_t at = 0;

	for (unsigned i = 0; i < s->n; i++)
		if (s->at[i].marked)
			instances_add(s, i, &pairs);
	if (s->marks.n)
		qsort(s->marks.at, s->marks.n, sizeof *s->marks.at, mark_order);
	s->first_mark = array_new(s->trace->nthreads + 1, sizeof *s->first_mark);
	for (uint32_t t = 0; t <= s->trace->nthreads; t++) {
		while (at < s->marks.n && s->marks.at[at].thread < t)
			at++;
		s->first_mark[t] = at;
	}
}

static void lives_find(struct lock_sources *s)
{
	unsigned n;
	struct role *lives = roles_of_kind(s->trace->spec, KIND_LIFE, &n);

	s->lives = lives;
	for (unsigned i = 0; i < n; i++)
		if (role_is_threads_life(&lives[i]))
			lives[s->nlives++] = lives[i];
}

/* What events take that is free: roles that have a start alone. */
static void takes_find(struct lock_sources *s)
{
	const struct spec *spec = s->trace->spec;

	s->takes = array_zero(spec->nevents + 1, sizeof *s->takes);
	for (unsigned i = 0; i < spec->nevents; i++)
		if (spec->events[i]->takes_attribute >= 0)
			s->takes[i] = (struct role){
			    .kind = KIND_WAIT,
			    .start = role_end_of(spec->events[i], spec->events[i]->takes_attribute),
			};
}

void lock_sources_open(struct lock_sources *s, struct trace *t)
{
	*s = (struct lock_sources){.trace = t};
	s->at = array_new(t->spec->nintervals + 1, sizeof *s->at);
	lives_find(s);
	takes_find(s);
	roles_add(s, KIND_HOLD);
	roles_add(s, KIND_WAIT);
	actions_make(s);
	marks_make(s);
}

void lock_sources_close(struct lock_sources *s)
{
	for (unsigned i = 0; i < s->n; i++)
		plan_free(s->at[i].plan);
	free(s->at);
	free(s->actions);
	free(s->takes);
	free(s->lives);
	free(s->lists);
	free(s->marks.at);
	free(s->first_mark);
}
