#include "analysis/rank/subjects.h"
#include "analysis/activity/own_calls.h"
#include "base/search.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

struct collecting {
	struct trace *trace;
	struct subjects *subjects;
	unsigned kinds;          /* that are wanted */
	struct hash_table known; /* subjects, by kind and key */
};

static uint32_t subject_find(struct collecting *c, enum subject_kind kind, int64_t key,
			     const char *name)
{
	struct hash_slot *slot;

	if (!(c->kinds >> kind & 1))
		return NO_SUBJECT;
	slot = hash_table_slot(&c->known, hash_mix((uint64_t)key), kind);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->subjects->all.n;
		*vector_add(&c->subjects->all) = (struct subject){kind, key, name};
	}
	return slot->head;
}

static uint32_t named_find(struct collecting *c, enum subject_kind kind, const char *name)
{
	return subject_find(c, kind, symbols_number(c->trace, name), name);
}

/* ---- what classes count for ---- */

/* By the text of an attribute; where there is none, by the interval. */
static uint32_t subject_of_key(struct collecting *c, enum subject_kind kind, const struct role *r,
			       int64_t key)
{
	return key == NO_KEY ? named_find(c, kind, r->interval->name)
			     : subject_find(c, kind, key, address_key_text(c->trace, key));
}

static bool has_site(const struct role *r)
{
	return r->start.code[0] >= 0 && (r->kind == KIND_WAIT || r->kind == KIND_HOLD ||
					 r->kind == KIND_IO || r->kind == KIND_SPIN);
}

static void label_add(struct span_label *l, uint32_t subject)
{
	unsigned n = 0;

	if (subject == NO_SUBJECT)
		return;
	while (l->subjects[n] != NO_SUBJECT)
		n++;
	l->subjects[n] = subject;
}

static struct span_label label_of(struct collecting *c, const struct span_class *class)
{
	const struct role *r = class->role;
	struct span_label l = {{NO_SUBJECT, NO_SUBJECT, NO_SUBJECT}};

	if (r->kind == KIND_CALL) {
		label_add(&l, subject_of_key(c, SUBJECT_FUNCTION, r, class->function));
		return l;
	}
	if (r->kind == KIND_STATE || !role_takes_time(r) || r->interval->idle)
		return l;
	label_add(&l, named_find(c, SUBJECT_INTERVAL, r->interval->name));
	if (r->kind == KIND_HOLD)
		label_add(&l, subject_of_key(c, SUBJECT_LOCK, r, class->object));
	if (has_site(r))
		label_add(&l, subject_of_key(c, SUBJECT_SITE, r, class->site));
	return l;
}

static void labels_make(struct collecting *c)
{
	const struct instance_set *set = c->subjects->set;

	c->subjects->labels = array_new(set->classes.n, sizeof *c->subjects->labels);
	for (size_t i = 0; i < set->classes.n; i++)
		c->subjects->labels[i] = label_of(c, &set->classes.at[i]);
}

/* ---- when they are known ---- */

/* Marks the intervals that have an event which was off for a part of the run. */
static bool *roles_switched(const struct instance_set *set)
{
	bool *switched = array_zero(set->nroles + 1, sizeof *switched);

	for (unsigned i = 0; i < set->nroles; i++) {
		struct on_time o = on_time_all(set->trace);

		on_time_cut(&o, set->trace, &set->roles[i]);
		switched[i] = on_time_within(&o, 0, set->trace->duration) < set->trace->duration;
		on_time_free(&o);
	}
	return switched;
}

static void on_make(struct subjects *s)
{
	const struct instance_set *set = s->set;
	bool *switched = roles_switched(set);
	struct hash_table cut = {0}; /* by subject and role */

	s->on = array_new(s->all.n, sizeof *s->on);
	for (size_t i = 0; i < s->all.n; i++)
		s->on[i] = on_time_all(set->trace);
	for (size_t i = 0; i < set->classes.n; i++) {
		const struct role *r = set->classes.at[i].role;
		const struct span_label *l = &s->labels[i];

		if (!switched[r - set->roles])
			continue;
		for (unsigned k = 0; k < SUBJECTS_OF_SPAN && l->subjects[k] != NO_SUBJECT; k++) {
			struct hash_slot *slot = hash_table_slot(&cut, hash_mix(l->subjects[k]),
								 (uint64_t)(r - set->roles));

			if (slot->head == HASH_NOTHING)
				on_time_cut(&s->on[l->subjects[k]], set->trace, r);
			slot->head = 0;
		}
	}
	hash_table_free(&cut);
	free(switched);
}

/* ---- threads ---- */

static void threads_make(struct collecting *c)
{
	struct subjects *s = c->subjects;

	s->threads = array_new(c->trace->nthreads, sizeof *s->threads);
	for (uint32_t t = 0; t < c->trace->nthreads; t++) {
		s->threads[t] = NO_SUBJECT;
		if (s->graph->threads[t].n)
			s->threads[t] = named_find(c, SUBJECT_THREAD, c->trace->threads[t].label);
	}
}

struct subjects *subjects_of(const struct instance_set *set, const struct graph *g, unsigned kinds)
{
	struct subjects *s = array_zero(1, sizeof *s);
	struct collecting c = {.trace = set->trace, .subjects = s, .kinds = kinds};

	s->graph = g;
	s->set = set;
	labels_make(&c);
	threads_make(&c);
	on_make(s);
	hash_table_free(&c.known);
	return s;
}

/* ---- their time ---- */

/* A subject's newest time, to which more may be added. */
struct subject_time {
	uint32_t thread;
	int64_t from, to; /* from == to: none */
};

struct visiting {
	const struct subjects *subjects;
	const bool *chosen;
	subject_visit *visit;
	void *context;
	struct subject_time *times; /* by subject */
	uint32_t thread;
	int64_t end; /* of the thread */
};

static void time_flush(const struct visiting *v, size_t subject)
{
	struct subject_time *t = &v->times[subject];

	const struct on_time *on = &v->subjects->on[subject];
	size_t i = lower_bound(k, 0, on->ranges.n, on->ranges.at[k].to <= t->from);

	for (; i < on->ranges.n && on->ranges.at[i].from < t->to; i++) {
		int64_t from = t->from > on->ranges.at[i].from ? t->from : on->ranges.at[i].from;
		int64_t to = t->to < on->ranges.at[i].to ? t->to : on->ranges.at[i].to;

		if (from < to)
			v->visit(v->context, subject, t->thread, from, to);
	}
}

static void time_add(const struct visiting *v, size_t subject, int64_t from, int64_t to)
{
	struct subject_time *t = &v->times[subject];

	to = to < v->end ? to : v->end;
	if (t->thread == v->thread && t->from < t->to && from <= t->to) {
		if (to > t->to)
			t->to = to;
		return;
	}
	time_flush(v, subject);
	*t = (struct subject_time){v->thread, from, to};
}

static void span_count(const struct visiting *v, const struct instance_span *span)
{
	const struct span_label *label = &v->subjects->labels[span->class];

	for (unsigned k = 0; k < SUBJECTS_OF_SPAN && label->subjects[k] != NO_SUBJECT; k++)
		if (!v->chosen || v->chosen[label->subjects[k]])
			time_add(v, label->subjects[k], span->start, span->end);
}

/* By their starts: one place may be in several lists. */
static void spans_count(const struct visiting *v)
{
	static const enum span_sort sorts[] = {SPANS_WAIT, SPANS_HOLD, SPANS_OTHER};
	struct lists_merge m =
	    lists_merge_begin(v->subjects->set, sorts, sizeof sorts / sizeof *sorts, v->thread);
	const struct instance_span *span;

	while ((span = lists_merge_next(&m)))
		span_count(v, span);
}

static void own_time_count(void *context, uint32_t class, int64_t from, int64_t to)
{
	span_count(context, &(struct instance_span){from, to, class});
}

static void thread_count(const struct visiting *v)
{
	const struct timeline *l = &v->subjects->graph->threads[v->thread];
	uint32_t subject = v->subjects->threads[v->thread];

	if (subject == NO_SUBJECT || (v->chosen && !v->chosen[subject]))
		return;
	for (size_t i = 0; i < l->n; i++)
		if (l->stretches[i].activity <= ACTIVITY_READY)
			time_add(v, subject, l->stretches[i].from, stretch_end(l, i));
}

void subjects_each(const struct subjects *s, const bool *chosen, subject_visit *visit,
		   void *context)
{
	subjects_each_between(s, 0, s->set->trace->nthreads, chosen, visit, context);
}

void subjects_each_between(const struct subjects *s, uint32_t first, uint32_t end,
			   const bool *chosen, subject_visit *visit, void *context)
{
	struct visiting v = {.subjects = s,
			     .chosen = chosen,
			     .visit = visit,
			     .context = context,
			     .times = array_zero(s->all.n, sizeof *v.times)};

	for (v.thread = first; v.thread < end; v.thread++) {
		v.end = s->graph->threads[v.thread].end;
		own_calls_each(s->set, v.thread, own_time_count, &v);
		spans_count(&v);
		thread_count(&v);
	}
	for (size_t i = 0; i < s->all.n; i++)
		time_flush(&v, i);
	free(v.times);
}

void subjects_free(struct subjects *s)
{
	for (size_t i = 0; i < s->all.n; i++)
		on_time_free(&s->on[i]);
	free(s->on);
	free(s->all.at);
	free(s->labels);
	free(s->threads);
	free(s);
}
