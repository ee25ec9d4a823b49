#include "analysis/locks/lock_sources.h"
#include "match/join/match.h"
#include <stdlib.h>

/* ---- what events do by themselves ---- */

/* Pairs a source within threads if its ends meet by the object, or by nothing but the thread. */
static bool source_join(struct lock_sources *s, const struct role *r, unsigned source)
{
	const struct join_source *added = join_sources_add(&s->join, r->interval, source);

	if (!added)
		return false;
	if (!added->keyed ||
	    (added->start.attribute == r->start.object && added->end.attribute == r->end.object))
		return true;
	join_sources_drop(&s->join);
	return false;
}

static void source_add(struct lock_sources *s, const struct role *r)
{
	s->at[s->n] = (struct lock_source){
	    .role = *r,
	    .hold = r->kind == KIND_HOLD,
	    .marked = !source_join(s, r, s->n),
	};
	s->n++;
}

static void roles_add(struct lock_sources *s, enum interval_kind kind)
{
	unsigned n;
	struct role *roles = roles_of_kind(s->trace->spec, kind, &n);

	for (unsigned i = 0; i < n; i++)
		source_add(s, &roles[i]);
	free(roles);
}

/* ---- what is found first ---- */

static void pair_add(struct lock_sources *s, unsigned source, uint32_t pair,
		     const struct instance *in)
{
	bool forwards = s->at[source].role.start.side == SIDE_ANCHOR;
	const struct event *start = forwards ? &in->anchor : &in->partner;
	const struct event *end = forwards ? &in->partner : &in->anchor;
	struct lock_mark mark = {
	    .time = in->start,
	    .thread = trace_thread_index(s->trace, start->thread),
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
static void open_add(struct lock_sources *s, unsigned source, const struct matches *m,
		     uint32_t *pairs)
{
	bool forwards = s->at[source].role.start.side == SIDE_ANCHOR;
	const struct moments *starts = forwards ? &m->anchors : &m->partners;
	const struct moments *ends = forwards ? &m->partners : &m->anchors;
	struct event *last = array_zero(s->trace->nthreads, sizeof *last), e;

	for (size_t i = 0; i < starts->count; i++) {
		moments_look(starts, i, &e);
		last[trace_thread_index(s->trace, e.thread)] = e;
	}
	for (size_t i = 0; i < ends->count; i++) {
		struct event *start;

		moments_look(ends, i, &e);
		start = &last[trace_thread_index(s->trace, e.thread)];
		if (start->record && e.time >= start->time && e.record != start->record)
			start->record = NULL;
	}
	for (uint32_t t = 0; t < s->trace->nthreads; t++)
		if (last[t].record)
			*vector_add(&s->marks) = (struct lock_mark){.time = last[t].time,
								    .thread = t,
								    .source = source,
								    .pair = (*pairs)++,
								    .order = MARK_BEGINS,
								    .begins = true,
								    .event = last[t]};
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

/* Returns the object that a thread tries to take in vain with an event; -1: none. */
static int missed_object(const struct event_type *e)
{
	for (unsigned k = 0; e->spin && k < e->nattributes; k++)
		if (e->attributes[k].type == TYPE_OBJECT)
			return (int)k;
	return -1;
}

/* A role that has a start alone. */
static struct role role_of_event(const struct event_type *e, int object)
{
	return (struct role){.kind = KIND_WAIT, .start = role_end_of(e, object)};
}

/* What events take that is free, or do not get. */
static void takes_find(struct lock_sources *s)
{
	const struct spec *spec = s->trace->spec;

	s->takes = array_zero(spec->nevents + 1, sizeof *s->takes);
	s->misses = array_zero(spec->nevents + 1, sizeof *s->misses);
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *e = spec->events[i];

		if (e->takes_attribute >= 0)
			s->takes[i] = role_of_event(e, e->takes_attribute);
		if (missed_object(e) >= 0)
			s->misses[i] = role_of_event(e, missed_object(e));
	}
}

void lock_sources_open(struct lock_sources *s, struct trace *t)
{
	*s = (struct lock_sources){.trace = t};
	s->at = array_new(t->spec->nintervals + 1, sizeof *s->at);
	s->lives = roles_of_threads(t->spec, &s->nlives);
	takes_find(s);
	join_sources_open(&s->join, t);
	roles_add(s, KIND_HOLD);
	roles_add(s, KIND_WAIT);
	join_sources_ready(&s->join);
	marks_make(s);
}

void lock_sources_close(struct lock_sources *s)
{
	join_sources_close(&s->join);
	free(s->at);
	free(s->takes);
	free(s->misses);
	free(s->lives);
	free(s->marks.at);
	free(s->first_mark);
}
