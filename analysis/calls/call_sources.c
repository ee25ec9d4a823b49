#include "analysis/calls/call_sources.h"
#include "analysis/activity/blocked_samples.h"
#include "match/join/match.h"
#include "match/join/thread_join.h"
#include "spec/layout.h"
#include <stdlib.h>

/* ---- what events do by themselves ---- */

/*
 * Whether a role can be paired within threads, and nothing is said of one end alone. Sets *joined,
 * whose plan and filters are gone.
 */
static bool is_joined(const struct role *r, struct join_source *joined)
{
	struct join_sources s = {0};
	const struct join_source *added = join_sources_add(&s, r->interval, 0);
	bool plain = added && !added->start.filter && !added->end.filter;

	if (plain)
		*joined = *added;
	join_sources_close(&s);
	return plain;
}

/* Whether ends are paired as a stack does, by the function if *function is set. */
static bool is_stacks(const struct role *r, bool *function)
{
	struct join_source s;

	if (!r->interval->nested || !is_joined(r, &s))
		return false;
	*function = s.keyed;
	return !s.keyed ||
	       (s.start.attribute == r->start.code[0] && s.end.attribute == r->end.code[0]);
}

/* The system's switches of one thread alternate: no other end can come between. */
static bool is_switches(const struct role *r)
{
	struct join_source s;

	return is_joined(r, &s) && !s.keyed;
}

static void action_add(struct call_sources *s, const struct role_end *end, enum call_act act,
		       unsigned source, bool keyed)
{
	struct call_action **last = &s->actions[end->event->index];
	struct call_action *a = array_zero(1, sizeof *a);

	*a = (struct call_action){.act = act, .source = source, .function = -1, .keyed = keyed};
	if (end->code[0] >= 0) {
		const struct attribute *x = &end->event->attributes[end->code[0]];

		a->function = end->code[0];
		a->offset = x->offset;
		a->wide = x->type == TYPE_CODE;
	}
	/* what ends does so before what begins */
	if (act == ACT_LEAVE || act == ACT_STOP) {
		a->next = *last;
		*last = a;
		return;
	}
	while (*last)
		last = (struct call_action **)&(*last)->next;
	*last = a;
}

/* ---- what is found first ---- */

static void pair_add(struct call_sources *s, unsigned source, const struct event *begin,
		     int64_t end, enum call_act begins, enum call_act ends)
{
	struct call_mark mark = {
	    .time = begin->time,
	    .other = end,
	    .thread = trace_thread_index(s->trace, begin->thread),
	    .source = source,
	    .pair = (uint32_t)s->npairs++,
	    .act = begins,
	    .event = *begin,
	};

	*vector_add(&s->marks) = mark;
	mark.act = ends;
	mark.time = end;
	mark.other = begin->time;
	*vector_add(&s->marks) = mark;
}

static void instances_add(struct call_sources *s, struct trace *t, unsigned source,
			  enum call_act begins, enum call_act ends)
{
	const struct role *r = &s->roles[source];
	struct matches *m = match_interval(t, r->interval);

	for (size_t i = 0; i < m->count; i++) {
		struct instance in;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		pair_add(s, source, r->start.side == SIDE_ANCHOR ? &in.anchor : &in.partner, in.end,
			 begins, ends);
	}
	matches_free(m);
}

static bool mark_ends(const struct call_mark *m)
{
	return m->act == ACT_LEAVE || m->act == ACT_STOP;
}

/*
 * At one time: ends of what began before, then begins, the longer first, then what had no length.
 */
static int mark_class(const struct call_mark *m)
{
	return !mark_ends(m) ? 1 : m->other < m->time ? 0 : 2;
}

static int mark_compare(const void *left, const void *right)
{
	const struct call_mark *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (mark_class(a) != mark_class(b))
		return mark_class(a) - mark_class(b);
	if (a->other != b->other)
		return a->other > b->other ? -1 : 1;
	return mark_ends(a) ? (a->pair < b->pair) - (a->pair > b->pair)
			    : (a->pair > b->pair) - (a->pair < b->pair);
}

static void marks_sort(struct call_sources *s)
{
	size_t at = 0;

	if (s->marks.n)
		qsort(s->marks.at, s->marks.n, sizeof *s->marks.at, mark_compare);
	s->first_mark = array_new(s->trace->nthreads + 1, sizeof *s->first_mark);
	for (unsigned i = 0; i < s->trace->nthreads; i++) {
		s->first_mark[i] = at;
		while (at < s->marks.n && s->marks.at[at].thread == i)
			at++;
	}
	s->first_mark[s->trace->nthreads] = at;
}

/* ---- all ---- */

/* The thread goes on with another stack. */
static void stack_add(struct call_sources *s, const struct event_type *e)
{
	const struct attribute *x = &e->attributes[e->context_attribute];
	struct call_action *a = array_zero(1, sizeof *a);

	*a = (struct call_action){.act = ACT_STACK,
				  .function = e->context_attribute,
				  .offset = x->offset,
				  .wide = type_size(x->type) == 8,
				  .next = s->actions[e->index]};
	s->actions[e->index] = a;
}

static void call_look(struct call_sources *s, struct trace *t, unsigned source)
{
	const struct role *r = &s->roles[source];
	bool function;

	if (is_stacks(r, &function)) {
		action_add(s, &r->start, ACT_ENTER, source, function);
		action_add(s, &r->end, ACT_LEAVE, source, function);
	} else {
		instances_add(s, t, source, ACT_ENTER, ACT_LEAVE);
	}
}

static void state_look(struct call_sources *s, struct trace *t, unsigned source)
{
	const struct role *r = &s->roles[source];

	if (is_switches(r)) {
		action_add(s, &r->start, ACT_RUN, source, false);
		action_add(s, &r->end, ACT_STOP, source, false);
	} else {
		instances_add(s, t, source, ACT_RUN, ACT_STOP);
	}
}

static bool counts(const struct interval *i, enum sample_places places)
{
	return (i->kind == KIND_CALL && places == SAMPLE_FUNCTIONS) || i->kind == KIND_STATE;
}

static void blocked_cut(struct samples *s, struct trace *t)
{
	struct instance_set *set =
	    instance_set_of(t, 1u << SPANS_STATE | 1u << SPANS_WAIT, NULL, 0);

	for (uint32_t i = 0; i < t->nthreads; i++) {
		struct thread_samples cut = blocked_samples(&s->threads[i], set->classes.at,
							    instance_spans(set, SPANS_STATE, i),
							    instance_spans(set, SPANS_WAIT, i));

		free(s->threads[i].list.at);
		s->threads[i].list.at = cut.list.at;
		s->threads[i].list.n = cut.list.n;
		s->threads[i].list.room = cut.list.room;
		s->threads[i].blocked_first = cut.blocked_first;
	}
	instance_set_free(set);
}

static void samples_look(struct call_sources *s, struct trace *t, enum sample_places places)
{
	unsigned n = s->nroles;

	s->samples = samples_of(t, places);
	if (!s->samples)
		return;
	blocked_cut(s->samples, t);
	s->sampled = array_new(t->spec->nevents, sizeof *s->sampled);
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (s->samples->calls[i]) {
			s->sampled[i] = n;
			s->roles[n++] = role_of_samples(s->samples->calls[i]);
		}
}

void call_sources_open(struct call_sources *s, struct trace *t, enum sample_places places)
{
	const struct spec *spec = t->spec;

	*s = (struct call_sources){.trace = t};
	s->roles = array_new((size_t)spec->nintervals + spec->nevents, sizeof *s->roles);
	s->actions = array_zero(spec->nevents + 1, sizeof(struct call_action *));
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (counts(spec->intervals[i], places))
			s->roles[s->nroles++] = role_of(spec->intervals[i]);
	for (unsigned i = 0; i < s->nroles; i++) {
		if (s->roles[i].kind == KIND_CALL)
			call_look(s, t, i);
		else if (s->roles[i].state == STATE_RUNNING)
			state_look(s, t, i);
	}
	for (unsigned i = 0; i < spec->nevents; i++)
		if (spec->events[i]->context_attribute >= 0)
			stack_add(s, spec->events[i]);
	marks_sort(s);
	samples_look(s, t, places);
	s->places = array_zero(s->npairs, sizeof *s->places);
}

void call_sources_close(struct call_sources *s)
{
	for (unsigned i = 0; i < s->trace->spec->nevents; i++)
		while (s->actions[i]) {
			struct call_action *a = s->actions[i];

			s->actions[i] = (struct call_action *)a->next;
			free(a);
		}
	free(s->actions);
	free(s->roles);
	free(s->sampled);
	samples_free(s->samples);
	free(s->marks.at);
	free(s->first_mark);
	free(s->places);
}
