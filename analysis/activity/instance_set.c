#include "analysis/activity/instance_set.h"
#include "analysis/activity/blocked_samples.h"
#include "analysis/activity/held_samples.h"
#include "analysis/activity/inner_causes.h"
#include "analysis/activity/on_time.h"
#include "analysis/activity/span_classes.h"
#include "analysis/activity/thread_walk.h"
#include "base/parallel.h"
#include "base/task.h"
#include "match/join/match.h"
#include "match/join/thread_join.h"
#include "trace/symbols/stack_sites.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* ---- which intervals ---- */

static const struct {
	enum interval_kind kind;
	enum span_sort sort;
} kinds[] = {
    {KIND_WAIT, SPANS_WAIT},   {KIND_SPIN, SPANS_WAIT},  {KIND_IO, SPANS_WAIT},
    {KIND_HOLD, SPANS_HOLD},   {KIND_WORK, SPANS_OTHER}, {KIND_CALL, SPANS_CALL},
    {KIND_PHASE, SPANS_OTHER}, {KIND_NONE, SPANS_OTHER}, {KIND_STATE, SPANS_STATE},
};
enum { NKINDS = sizeof kinds / sizeof *kinds };

enum span_sort span_sort_of(const struct role *r)
{
	size_t k = 0;

	while (kinds[k].kind != r->kind)
		k++;
	return kinds[k].sort;
}

/* Adds the roles of sampled calls, a role for each type of frames. */
static void sampled_roles_add(struct instance_set *s)
{
	const struct spec *spec = s->trace->spec;

	s->sampled_roles = array_new(spec->nevents, sizeof *s->sampled_roles);
	for (unsigned i = 0; i < spec->nevents; i++)
		if (s->samples->calls[i]) {
			s->sampled_roles[i] = s->nroles;
			s->roles[s->nroles++] = role_of_samples(s->samples->calls[i]);
		}
}

static void roles_collect(struct instance_set *s)
{
	const struct spec *spec = s->trace->spec;

	s->roles = array_new((size_t)spec->nintervals + spec->nevents + 1, sizeof *s->roles);
	for (size_t k = 0; k < NKINDS; k++) {
		unsigned n;
		struct role *roles;

		if (!(s->sorts >> kinds[k].sort & 1))
			continue;
		roles = roles_of_kind(s->trace->spec, kinds[k].kind, &n);
		for (unsigned i = 0; i < n; i++)
			if (roles[i].same_thread && (roles[i].kind != KIND_STATE || roles[i].state))
				s->roles[s->nroles++] = roles[i];
		free(roles);
		if (kinds[k].sort == SPANS_WAIT)
			s->nwaits = s->nroles;
	}
	s->nlogged = s->nroles;
	if (s->samples)
		sampled_roles_add(s);
}

/* ---- finding ---- */

struct finding_set {
	struct instance_set *set;
	const struct span_condition *conditions;
	unsigned nconditions;
	struct thread_classes *threads;
	struct join_sources joined; /* what is paired within threads; number: of the role */
	/* by role: there is a condition on its instances, or only their ends make them ones */
	bool *asked;
	bool *as_state; /* by role: begins_as_state() */
	bool *held;     /* by event type: it may begin a hold of what is no lock */
};

static span_vector *list_of(const struct finding_set *f, uint32_t role, size_t thread)
{
	return &f->set->lists[span_sort_of(&f->set->roles[role]) * (size_t)f->set->trace->nthreads +
			      thread];
}

static void span_add(struct finding_set *f, uint32_t role, const struct event *start, int64_t end,
		     uint64_t bits)
{
	struct instance_set *s = f->set;
	uint32_t thread = trace_thread_index(s->trace, start->thread);

	*vector_add(list_of(f, role, thread)) = (struct instance_span){
	    start->time, end, thread_class_of(&f->threads[thread], role, start, bits)};
}

/* Returns which conditions hold; b: both ends. */
static uint64_t conditions_of(const struct finding_set *f, const struct role *r,
			      const struct binding *b)
{
	struct binding start = {.side = {b->side[r->start.side]}};
	uint64_t bits = 0, faults = 0;

	for (unsigned i = 0; i < f->nconditions; i++) {
		const struct span_condition *c = &f->conditions[i];

		if (strcmp(c->interval, r->interval->name) == 0 &&
		    expr_holds(c->condition, c->of_start ? &start : b, &faults))
			bits |= UINT64_C(1) << c->bit;
	}
	return bits;
}

static uint64_t conditions_of_match(const struct finding_set *f, const struct role *r,
				    const struct matches *m, size_t anchor)
{
	struct binding b = {0};

	if (!f->nconditions)
		return 0;
	matches_bind(m, anchor, true, &b);
	return conditions_of(f, r, &b);
}

static void matched_add(struct finding_set *f, uint32_t role, const struct matches *m)
{
	bool forwards = f->set->roles[role].start.side == SIDE_ANCHOR;

	for (size_t i = 0; i < m->count; i++) {
		struct instance in;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		if (in.anchor.thread == in.partner.thread)
			span_add(f, role, forwards ? &in.anchor : &in.partner, in.end,
				 conditions_of_match(f, &f->set->roles[role], m, i));
	}
}

/* A state that was seen last does not go on for as long as nothing was observed. */
static int64_t open_end(const struct finding_set *f, uint32_t role, int64_t start)
{
	const struct role *r = &f->set->roles[role];
	int64_t end = r->kind == KIND_STATE ? on_time_end(f->set->trace, r) : INT64_MAX;

	return end > start ? end : start;
}

/* Adds the last start of each thread if nothing that can end such an interval comes after it. */
static void open_add(struct finding_set *f, uint32_t role, const struct matches *m)
{
	const struct trace *t = f->set->trace;
	bool forwards = f->set->roles[role].start.side == SIDE_ANCHOR;
	const struct moments *starts = forwards ? &m->anchors : &m->partners;
	const struct moments *ends = forwards ? &m->partners : &m->anchors;
	struct event *last = array_zero(t->nthreads, sizeof *last), e;

	for (size_t i = 0; i < starts->count; i++) {
		moments_look(starts, i, &e);
		last[trace_thread_index(t, e.thread)] = e;
	}
	for (size_t i = 0; i < ends->count; i++) {
		struct event *start;

		moments_look(ends, i, &e);
		start = &last[trace_thread_index(t, e.thread)];
		if (e.time >= start->time)
			start->record = NULL;
	}
	for (uint32_t i = 0; i < t->nthreads; i++)
		if (last[i].record)
			span_add(f, role, &last[i], open_end(f, role, last[i].time), 0);
	free(last);
}

static void role_match(struct finding_set *f, uint32_t role)
{
	struct matches *m = match_interval(f->set->trace, f->set->roles[role].interval);

	matched_add(f, role, m);
	open_add(f, role, m);
	matches_free(m);
}

/* ---- in one pass through a thread ---- */

#define NO_END INT64_MIN /* of a span whose end has not come */

struct instance_walk {
	const struct finding_set *set;
	struct thread_classes *classes;
	size_t thread;
	uint32_t number;   /* of the thread */
	int64_t *last_end; /* by source */
};

static struct event event_at(const struct instance_walk *w, const struct event_type *type,
			     int64_t time, const unsigned char *record)
{
	return (struct event){.time = time, .type = type, .record = record, .thread = w->number};
}

static struct event start_event(const struct instance_walk *w, const struct join_start *s)
{
	return event_at(w, w->set->set->roles[s->number].start.event, s->time, s->record);
}

static uint32_t start_class(const struct instance_walk *w, const struct join_start *s,
			    uint64_t bits)
{
	struct event start = start_event(w, s);

	return thread_class_of(w->classes, s->number, &start, bits);
}

/* A span is there from its start on, so that they come in the order of their starts. */
static uint64_t walk_begin(void *context, const struct join_start *s,
			   const struct join_start *replaced)
{
	const struct instance_walk *w = context;
	span_vector *list = list_of(w->set, s->number, w->thread);

	(void)replaced;
	*vector_add(list) = (struct instance_span){
	    s->time, NO_END, w->set->asked[s->number] ? 0 : start_class(w, s, 0)};
	return list->n - 1;
}

static uint64_t conditions_of_pair(const struct instance_walk *w, const struct join_start *s,
				   const struct join_event *e)
{
	const struct trace *t = w->set->set->trace;
	const struct role *r = &w->set->set->roles[s->number];
	struct event start = start_event(w, s);
	struct event end = event_at(w, t->spec->events[e->type], e->time, e->record);
	struct binding b = {.duration = e->time - s->time};

	b.side[r->start.side] = event_operand(t, &start);
	b.side[r->end.side] = event_operand(t, &end);
	return conditions_of(w->set, r, &b);
}

static void walk_pair(void *context, const struct join_start *s, const struct join_event *e)
{
	const struct instance_walk *w = context;
	span_vector *list = list_of(w->set, s->number, w->thread);
	struct instance_span *span = &list->at[s->token];

	/* a start that stays for other ends begins several */
	if (span->end != NO_END) {
		struct instance_span first = *span;

		span = vector_add(list);
		*span = first;
	}
	span->end = e->time;
	if (w->set->asked[s->number])
		span->class = start_class(w, s, conditions_of_pair(w, s, e));
}

/*
 * Whether a role begins with an event that begins a state: then its spans count only where nothing
 * else says what the thread waits for.
 */
static bool begins_as_state(const struct spec *spec, const struct role *r)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (spec->intervals[i]->kind == KIND_STATE &&
		    role_of(spec->intervals[i]).start.event == r->start.event)
			return true;
	return false;
}

/* What has begun after the last event that can end it is open. */
static void walk_open(void *context, const struct join_start *s)
{
	const struct instance_walk *w = context;
	struct instance_span *span = &list_of(w->set, s->number, w->thread)->at[s->token];

	/* a state that has begun may end otherwise */
	if (span->end != NO_END || s->time <= w->last_end[s->source] || w->set->as_state[s->number])
		return;
	span->end = open_end(w->set, s->number, s->time);
	if (w->set->asked[s->number])
		span->class = start_class(w, s, 0);
}

static const struct join_visitor walk_visitor = {walk_begin, walk_pair, NULL};

static void ends_note(const struct instance_walk *w, const struct join_event *e)
{
	const struct join_acts *acts = &w->set->joined.acts[e->type];

	for (unsigned i = 0; i < acts->n && !acts->list[i].begins; i++)
		w->last_end[acts->list[i].source] = e->time;
}

static void unended_drop(span_vector *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].end != NO_END)
			list->at[n++] = list->at[i];
	list->n = n;
}

static bool held_by_nobody(const struct instance_walk *w, const struct join_event *e)
{
	const struct trace *t = w->set->set->trace;
	struct event start = event_at(w, t->spec->events[e->type], e->time, e->record);

	return is_held_by_nobody(t, &start);
}

/* Steps are counted after so many events. */
enum { EVENTS_COUNTED = 1 << 16 };

static void thread_find(void *context, size_t thread, unsigned worker)
{
	struct finding_set *f = context;
	const struct trace *t = f->set->trace;
	struct instance_walk w = {f, &f->threads[thread], thread, t->threads[thread].number,
				  array_new(f->joined.sources.n, sizeof *w.last_end)};
	struct thread_join join;
	struct thread_walk walk;
	uint64_t walked = 0;

	(void)worker;
	for (size_t i = 0; i < f->joined.sources.n; i++)
		w.last_end[i] = INT64_MIN;
	thread_join_open(&join, &f->joined, thread);
	thread_walk_open(&walk, t, thread);
	while (thread_walk_next(&walk)) {
		struct join_event e = {walk.time, walk.record, walk.type};

		if (++walked % EVENTS_COUNTED == 0)
			task_step(EVENTS_COUNTED);
		if (!f->joined.acts[e.type].n || (f->held[e.type] && held_by_nobody(&w, &e)))
			continue;
		ends_note(&w, &e);
		thread_join_put(&join, &e, &walk_visitor, &w);
	}
	task_step(walked % EVENTS_COUNTED);
	thread_join_rest(&join, walk_open, &w);
	thread_join_close(&join);
	for (unsigned sort = 0; sort < NSPAN_SORTS; sort++)
		unended_drop(&f->set->lists[sort * (size_t)t->nthreads + thread]);
	free(w.last_end);
}

/* ---- sampled calls ---- */

/* Returns the conditions that hold, as far as they are about the start alone. */
static uint64_t conditions_of_frame(const struct finding_set *f, const struct role *r,
				    const struct event *frame)
{
	struct binding b = {0};
	uint64_t bits = 0, faults = 0;

	b.side[r->start.side] = event_operand(f->set->trace, frame);
	for (unsigned i = 0; i < f->nconditions; i++) {
		const struct span_condition *c = &f->conditions[i];

		if (c->of_start && strcmp(c->interval, r->interval->name) == 0 &&
		    expr_holds(c->condition, &b, &faults))
			bits |= UINT64_C(1) << c->bit;
	}
	return bits;
}

struct sampled_thread {
	struct finding_set *set;
	size_t thread;
};

static uint32_t sampled_class(void *context, const struct event *frame)
{
	const struct sampled_thread *t = context;
	struct instance_set *s = t->set->set;
	uint32_t role = s->sampled_roles[frame->type->index];
	uint64_t bits =
	    t->set->nconditions ? conditions_of_frame(t->set, &s->roles[role], frame) : 0;

	return thread_class_of(&t->set->threads[t->thread], role, frame, bits);
}

/* Returns what a thread's samples stand for: code that holds locks, that runs, and that waits. */
static struct thread_samples samples_divided(const struct finding_set *f, size_t thread)
{
	struct instance_set *s = f->set;
	span_vector *holds = &s->lists[SPANS_HOLD * (size_t)s->trace->nthreads + thread];
	const struct thread_samples *t = &s->samples->threads[thread];
	struct thread_samples held, result;

	instance_spans_sort(holds->at, holds->n);
	held = held_samples(t, holds);
	held.waits = t->waits;
	result = blocked_samples(&held, f->threads[thread].found.at,
				 instance_spans(s, SPANS_STATE, (uint32_t)thread),
				 instance_spans(s, SPANS_WAIT, (uint32_t)thread));
	free(held.list.at);
	return result;
}

/* The calls of a thread that logs none. */
static void sampled_find(void *context, size_t thread, unsigned worker)
{
	struct finding_set *f = context;
	struct sampled_thread t = {f, thread};
	struct thread_samples samples = samples_divided(f, thread);

	(void)worker;
	f->set->sampled[thread] = sampled_calls_of(f->set->samples, &samples, sampled_class, &t);
	free(samples.list.at);
}

/* ---- putting together ---- */

static int span_order(const void *a, const void *b)
{
	const struct instance_span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* the longer one is the outer one */
	return (x->end < y->end) - (x->end > y->end);
}

/* Most come in their order. */
void instance_spans_sort(struct instance_span *spans, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (span_order(&spans[i - 1], &spans[i]) > 0) {
			qsort(spans, n, sizeof *spans, span_order);
			return;
		}
}

bool instance_has_calls(const struct instance_set *s, uint32_t thread)
{
	return instance_spans(s, SPANS_CALL, thread)->n ||
	       (s->sampled && s->sampled[thread].nodes.n > 1);
}

struct lists_merge lists_merge_begin(const struct instance_set *s, const enum span_sort *sorts,
				     unsigned n, uint32_t thread)
{
	struct lists_merge m = {.n = n, .calls = n};

	for (unsigned i = 0; i < n; i++) {
		const span_vector *list = instance_spans(s, sorts[i], thread);

		m.at[i] = list->at;
		m.end[i] = list->at + list->n;
		if (sorts[i] != SPANS_CALL)
			continue;
		m.sampled = sampled_cursor_begin(instance_sampled(s, thread));
		if (sampled_cursor_next(&m.sampled, &m.call))
			m.calls = i;
	}
	return m;
}

static const struct instance_span *merge_head(const struct lists_merge *m, unsigned i)
{
	if (i == m->calls)
		return &m->call;
	return m->at[i] < m->end[i] ? m->at[i] : NULL;
}

const struct instance_span *lists_merge_next(struct lists_merge *m)
{
	const struct instance_span *next = NULL;
	unsigned from = 0;

	for (unsigned i = 0; i < m->n; i++) {
		const struct instance_span *head = merge_head(m, i);

		if (head && (!next || span_order(head, next) < 0)) {
			next = head;
			from = i;
		}
	}
	if (!next)
		return NULL;
	m->given = *next;
	if (from != m->calls)
		m->at[from]++;
	else if (!sampled_cursor_next(&m->sampled, &m->call))
		m->calls = m->n;
	return &m->given;
}

static bool is_waiting(const struct role *r)
{
	return r->kind == KIND_WAIT || r->kind == KIND_SPIN;
}

/* Whether an io says how many bytes it is of, which predictions need. */
static bool has_bytes(const struct role *r)
{
	return r->start.event->bytes_attribute >= 0 || r->end.event->bytes_attribute >= 0;
}

/* The longest waits so far, and the longest of input and output. */
struct outer_waits {
	const struct instance_span *wait, *io;
};

/* Whether a span lies within one of another role. */
static bool lies_within(const struct instance_set *s, const struct instance_span *span,
			const struct instance_span *outer)
{
	return outer && outer->end >= span->end && span_role(s, outer) != span_role(s, span);
}

static void outer_take(const struct instance_span **outer, const struct instance_span *span)
{
	if (!*outer || span->end > (*outer)->end)
		*outer = span;
}

/*
 * A wait within a wait for something else is how the outer one is done, as the condition within a
 * monitor of a virtual machine: only the outer one counts. So is an io within an io, as the
 * kernel's wait for the device within fsync().
 */
static bool is_inner(struct instance_set *s, const struct instance_span *span,
		     const struct outer_waits *outer)
{
	const struct role *r = span_role(s, span);

	if (is_waiting(r) && lies_within(s, span, outer->wait)) {
		__atomic_store_n(&s->inner_waits, true, __ATOMIC_RELAXED);
		return true;
	}
	return r->kind == KIND_IO && !has_bytes(r) && lies_within(s, span, outer->io);
}

/* The spans are in their order. as_state: by role, begins_as_state() */
static void inner_waits_drop(struct instance_set *s, const bool *as_state, span_vector *waits)
{
	struct outer_waits outer = {0};
	size_t n = 0;

	for (size_t i = 0; i < waits->n; i++) {
		struct instance_span span = waits->at[i];
		const struct role *r = span_role(s, &span);
		bool state = as_state[r - s->roles];

		if (is_inner(s, &span, &outer) || (state && lies_within(s, &span, outer.wait)))
			continue;
		/* the same wait, and this one says more of it */
		if (n && as_state[span_role(s, &waits->at[n - 1]) - s->roles] &&
		    waits->at[n - 1].start == span.start && waits->at[n - 1].end <= span.end)
			n--;
		waits->at[n] = span;
		if (r->kind == KIND_WAIT)
			outer_take(&outer.wait, &waits->at[n]);
		else if (r->kind == KIND_IO && !state)
			outer_take(&outer.io, &waits->at[n]);
		n++;
	}
	waits->n = n;
}

struct class_numbers {
	struct instance_set *set;
	uint32_t **numbers;   /* of each thread's classes in the set */
	const bool *as_state; /* by role */
};

static void thread_put(void *context, size_t thread, unsigned worker)
{
	const struct class_numbers *p = context;
	struct sampled_calls *calls = p->set->sampled ? &p->set->sampled[thread] : NULL;

	(void)worker;
	for (unsigned sort = 0; sort < NSPAN_SORTS; sort++) {
		span_vector *list = &p->set->lists[sort * (size_t)p->set->trace->nthreads + thread];

		for (size_t i = 0; i < list->n; i++)
			list->at[i].class = p->numbers[thread][list->at[i].class];
		instance_spans_sort(list->at, list->n);
		if (sort == SPANS_WAIT)
			inner_waits_drop(p->set, p->as_state, list);
		list->at = array_resize(list->at, list->n, sizeof *list->at);
		list->room = list->n;
	}
	/* node 0 has none */
	for (size_t i = 1; calls && i < calls->nodes.n; i++)
		calls->nodes.at[i].class = p->numbers[thread][calls->nodes.at[i].class];
}

/*
 * Gives each thread's classes their numbers in the set, thread after thread: they are the same in
 * each run.
 */
static void threads_put(struct finding_set *f)
{
	uint32_t nthreads = f->set->trace->nthreads;
	struct class_numbers p = {f->set, array_new(nthreads, sizeof(uint32_t *)), f->as_state};
	struct hash_table known = {0};

	for (uint32_t i = 0; i < nthreads; i++)
		p.numbers[i] = span_classes_merge(f->set, &known, &f->threads[i]);
	parallel_for(nthreads, thread_put, &p);
	for (uint32_t i = 0; i < nthreads; i++)
		free(p.numbers[i]);
	free(p.numbers);
	hash_table_free(&known);
}

static void spans_find(struct finding_set *f)
{
	uint32_t nthreads = f->set->trace->nthreads;
	bool *matched = array_new(f->set->nroles, sizeof *matched);

	f->asked = array_zero(f->set->nroles, sizeof *f->asked);
	f->as_state = array_zero(f->set->nroles, sizeof *f->as_state);
	for (uint32_t i = 0; i < f->set->nwaits; i++)
		f->asked[i] = f->as_state[i] =
		    begins_as_state(f->set->trace->spec, &f->set->roles[i]);
	f->threads = array_new(nthreads, sizeof *f->threads);
	for (uint32_t i = 0; i < nthreads; i++)
		thread_classes_open(&f->threads[i], f->set);
	f->held = array_zero(f->set->trace->spec->nevents + 1, sizeof *f->held);
	for (uint32_t i = 0; i < f->set->nlogged; i++)
		f->held[f->set->roles[i].start.event->index] |=
		    role_may_hold_nothing(&f->set->roles[i]);
	join_sources_open(&f->joined, f->set->trace);
	for (uint32_t i = 0; i < f->set->nlogged; i++) {
		for (unsigned k = 0; k < f->nconditions; k++)
			f->asked[i] |=
			    strcmp(f->conditions[k].interval, f->set->roles[i].interval->name) == 0;
		matched[i] = !join_sources_add(&f->joined, f->set->roles[i].interval, i);
	}
	join_sources_ready(&f->joined);
	if (f->joined.sources.n)
		parallel_for(nthreads, thread_find, f);
	else
		task_step(f->set->trace->events);
	join_sources_close(&f->joined);
	for (uint32_t i = 0; i < f->set->nlogged; i++)
		if (matched[i])
			role_match(f, i);
	if (f->set->samples) {
		f->set->sampled = array_new(nthreads, sizeof *f->set->sampled);
		parallel_for(nthreads, sampled_find, f);
	}
	free(matched);
	free(f->held);
	free(f->asked);
	threads_put(f);
	free(f->as_state);
	for (uint32_t i = 0; i < nthreads; i++)
		thread_classes_close(&f->threads[i]);
	free(f->threads);
}

/* ---- all ---- */

/* Objects of one name in several processes are told apart, where symbols are read at all. */
static void objects_part(struct instance_set *s)
{
	lock_register_name(s->objects);
	for (size_t i = 0; i < s->classes.n; i++) {
		struct span_class *c = &s->classes.at[i];
		const struct lock *l;

		if (c->lock == NO_LOCK || c->object == NO_KEY)
			continue;
		l = &s->objects->locks.at[c->lock];
		if (l->label != l->name)
			c->object = symbols_number(s->trace, l->label);
	}
}

struct instance_set *instance_set_of(struct trace *t, unsigned sorts,
				     const struct span_condition *conditions, unsigned n)
{
	struct instance_set *s = array_zero(1, sizeof *s);
	struct finding_set f = {.set = s, .conditions = conditions, .nconditions = n};

	task_plan(t->events);
	s->trace = t;
	s->samples = sorts >> SPANS_CALL & 1 ? samples_of(t, SAMPLE_FUNCTIONS) : NULL;
	s->sorts = s->samples ? sorts | 1u << SPANS_STATE | 1u << SPANS_WAIT : sorts;
	roles_collect(s);
	s->lives = roles_of_threads(t->spec, &s->nlives);
	s->objects = array_new(1, sizeof *s->objects);
	lock_register_open(s->objects, t, s->lives, s->nlives);
	s->lists = array_zero(NSPAN_SORTS * (size_t)t->nthreads, sizeof *s->lists);
	cause_list_find(&s->causes, t);
	spans_find(&f);
	if (s->inner_waits)
		inner_causes_drop(s);
	if (sorts & SPANS_NAMED)
		objects_part(s);
	return s;
}

bool instance_set_has_states(const struct instance_set *s)
{
	for (uint32_t t = 0; t < s->trace->nthreads; t++)
		if (instance_spans(s, SPANS_STATE, t)->n)
			return true;
	return false;
}

void instance_set_free(struct instance_set *s)
{
	for (size_t i = 0; i < NSPAN_SORTS * (size_t)s->trace->nthreads; i++)
		free(s->lists[i].at);
	free(s->lists);
	for (uint32_t i = 0; s->sampled && i < s->trace->nthreads; i++)
		sampled_calls_free(&s->sampled[i]);
	free(s->sampled);
	cause_list_free(&s->causes);
	lock_register_close(s->objects);
	free(s->objects);
	free(s->lives);
	free(s->roles);
	free(s->sampled_roles);
	samples_free(s->samples);
	free(s->classes.at);
	free(s);
}
