#include "analysis/replay/hand_out_finding.h"
#include "base/search.h"
#include "spec/expr.h"
#include "spec/layout.h"
#include <stdlib.h>

/*
 * FEWEST_CHUNKS: of fewer nothing can be said. JITTER: so much later than the next chunk one may
 * be stamped that was handed out before it, ns. ONE_LATE: one of so many may be later, where its
 * thread lost its processor.
 */
enum { FEWEST_CHUNKS = 4, JITTER = 20000, ONE_LATE = 10 };

/*
 * What an interval says of the chunks or items that its instances are: attributes of the event
 * that begins it.
 */
struct form {
	const struct role *role;
	int first, last; /* iterations from first up to, not with, last; -1: they are items */
};

/* An instance. */
struct chunk {
	uint32_t class, thread;
	int64_t start, end;
	int64_t first, last;
};

typedef VECTOR(struct chunk) chunks;

static int start_attribute(const struct expr *e, const struct role *r)
{
	return e->op == EXPR_ATTRIBUTE && e->side == r->start.side ? (int)e->attribute : -1;
}

/* Returns whether an interval's metrics say that its instances are chunks or items. */
static bool form_of(const struct role *r, struct form *form)
{
	*form = (struct form){r, -1, -1};
	for (unsigned i = 0; r->kind == KIND_WORK && r->same_thread && i < r->interval->nmetrics;
	     i++) {
		const struct metric *m = &r->interval->metrics[i];

		if (strcmp(m->name, "item") == 0)
			return true;
		if (strcmp(m->name, "iterations") != 0 || m->value->op != EXPR_SUB)
			continue;
		form->last = start_attribute(m->value->left, r);
		form->first = start_attribute(m->value->right, r);
		return form->first >= 0 && form->last >= 0;
	}
	return false;
}

static int64_t value_of(const struct event *e, int attribute)
{
	return attribute < 0 ? 0 : record_value(e->type, (unsigned)attribute, e->record).integer;
}

/* Adds the chunk that an event begins, if it also ends; *at: in its thread's spans, goes on. */
static void chunk_add(const struct model *m, const struct form *form, const struct event *e,
		      size_t *at, chunks *all)
{
	uint32_t thread = trace_thread_index(m->trace, e->thread);
	const span_vector *spans = instance_spans(m->set, SPANS_OTHER, thread);

	while (*at < spans->n && (spans->at[*at].start < e->time ||
				  (spans->at[*at].start == e->time &&
				   span_role(m->set, &spans->at[*at]) != form->role)))
		++*at;
	if (*at == spans->n || spans->at[*at].start != e->time || spans->at[*at].end == INT64_MAX)
		return;
	*vector_add(all) = (struct chunk){
	    spans->at[*at].class,   thread, e->time, spans->at[*at].end, value_of(e, form->first),
	    value_of(e, form->last)};
	++*at;
}

/* Returns the instances of an interval in the order of time. */
static chunks chunks_of(const struct model *m, const struct form *form)
{
	const struct event_list *events = trace_events(m->trace, form->role->start.event);
	size_t *at = array_zero(m->trace->nthreads, sizeof *at);
	chunks all = {0};

	for (size_t i = 0; events && i < event_list_size(events); i++) {
		struct event e;

		event_list_look(events, i, &e);
		chunk_add(m, form, &e, &at[trace_thread_index(m->trace, e.thread)], &all);
	}
	free(at);
	return all;
}

/* ---- runs of a loop ---- */

/*
 * Returns where a run of a loop ends that begins with a chunk: the next run begins with iterations
 * that came before, after all chunks. Items are all one run.
 */
static size_t run_end(const struct form *form, const chunks *all, size_t i)
{
	const struct chunk *first = &all->at[i];
	int64_t end = first->end, last = first->last;

	for (i++; i < all->n; i++) {
		const struct chunk *c = &all->at[i];

		if (form->first >= 0 && c->start >= end && c->first < last)
			break;
		end = c->end > end ? c->end : end;
		last = c->last > last ? c->last : last;
	}
	return i;
}

static int by_first(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/*
 * Whether the chunks are those of one run, each iteration once. They are in the order of
 * iterations.
 */
static bool is_whole(const struct chunk *c, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (c[i].first != c[i - 1].last)
			return false;
	return true;
}

/*
 * Returns how many chunks begin after one of later iterations: they were not handed out in that
 * order.
 */
static size_t count_late(const struct chunk *c, size_t n)
{
	int64_t next = INT64_MAX;
	size_t late = 0;

	for (size_t i = n; i--;) {
		late += next != INT64_MAX && c[i].start > next + JITTER;
		next = c[i].start < next ? c[i].start : next;
	}
	return late;
}

/* Whether the threads take turns: chunks that were dealt out in advance may look like that. */
static bool goes_round(const struct chunk *c, size_t n, uint32_t nthreads)
{
	if (n < 2 * (size_t)nthreads || nthreads < 2)
		return false;
	for (size_t i = nthreads; i < n; i++)
		if (c[i].thread != c[i - nthreads].thread)
			return false;
	return true;
}

/* Whether a thread holds a lock at a time. */
static bool holds(const struct model *m, uint32_t thread, int64_t time)
{
	enum { MOST_NESTED = 8 };
	size_t i = lower_bound(k, m->first_hold[thread], m->first_hold[thread + 1],
			       m->holds.at[k].start < time);

	for (unsigned n = 0; n < MOST_NESTED && i > m->first_hold[thread]; n++)
		if (m->holds.at[--i].end > time)
			return true;
	return false;
}

/* Whether a thread meets others between two times. */
static bool meets(const struct model *m, uint32_t thread, int64_t from, int64_t to)
{
	size_t end = m->first_cause[thread + 1];
	size_t i = lower_bound(k, m->first_cause[thread], end, m->causes.at[k].time < from);

	for (; i < end && m->causes.at[i].time < to; i++)
		if (m->causes.at[i].meeting)
			return true;
	return false;
}

/* ---- pools ---- */

struct loop {
	struct hand_out_finding *finding;
	struct chunk *chunks; /* of loops in the order of their iterations */
	size_t n;
	size_t *last; /* by thread: its last chunk, and one more; 0: it has none */
	bool *members;
	uint32_t nthreads;
};

static void members_find(struct loop *l)
{
	for (size_t i = 0; i < l->n; i++) {
		uint32_t t = l->chunks[i].thread;

		l->nthreads += !l->members[t];
		l->members[t] = true;
		if (!l->last[t] || l->chunks[i].start > l->chunks[l->last[t] - 1].start)
			l->last[t] = i + 1;
	}
}

static const char *doubt_of(const struct loop *l)
{
	const struct model *m = l->finding->model;

	if (!is_whole(l->chunks, l->n))
		return "the chunks do not follow one another";
	if (goes_round(l->chunks, l->n, l->nthreads) ||
	    count_late(l->chunks, l->n) > 1 + l->n / ONE_LATE)
		return "the chunks are not handed out in their order, as with a static schedule";
	for (size_t i = 0; i < l->n; i++) {
		const struct chunk *c = &l->chunks[i];

		if (holds(m, c->thread, c->start))
			return "a thread holds a lock when an item begins";
		if (meets(m, c->thread, c->start, l->chunks[l->last[c->thread] - 1].end))
			return "the threads wait for one another between items";
	}
	return NULL;
}

/*
 * Returns when a thread's first chunk begins: in the order of iterations it need not be the first.
 */
static int64_t first_start(const struct loop *l, uint32_t thread)
{
	int64_t start = INT64_MAX;

	for (size_t i = 0; i < l->n; i++)
		if (l->chunks[i].thread == thread && l->chunks[i].start < start)
			start = l->chunks[i].start;
	return start;
}

static void items_add(struct loop *l)
{
	struct hand_out *h = l->finding->result;

	for (size_t i = 0; i < l->n; i++) {
		const struct chunk *c = &l->chunks[i];

		*vector_add(&h->items) = (struct handed_item){.thread = c->thread,
							      .taken = c->start,
							      .pusher = NO_THREAD,
							      .first_iteration = c->first,
							      .iterations = c->last - c->first};
		hand_out_mark_add(l->finding, c->thread, c->start, h->items.n - 1);
		if (l->last[c->thread] == i + 1)
			hand_out_mark_add(l->finding, c->thread, c->end, NO_ITEM);
	}
	for (size_t i = 0; i < l->n; i++) {
		const struct chunk *c = &l->chunks[i];

		if (l->members[c->thread])
			hand_out_turn_add(l->finding, c->thread, first_start(l, c->thread),
					  l->chunks[l->last[c->thread] - 1].end);
		l->members[c->thread] = false;
	}
}

/* Returns what the chunks take on average, ns. */
static int64_t mean_of(const struct loop *l)
{
	int64_t sum = 0;

	for (size_t i = 0; i < l->n; i++)
		sum += l->chunks[i].end - l->chunks[i].start;
	return sum / (int64_t)l->n;
}

static void pool_add(struct loop *l, const struct form *form)
{
	const struct model *m = l->finding->model;
	struct hand_out *h = l->finding->result;
	struct hand_out_pool pool = {.kind = form->first < 0 ? POOL_INTERVAL : POOL_LOOP,
				     .name = form->role->interval->name,
				     .site = hand_out_site(m, l->chunks[0].class),
				     .nitems = l->n,
				     .first = h->items.n};
	const char *doubt;

	if (form->first >= 0)
		qsort(l->chunks, l->n, sizeof *l->chunks, by_first);
	members_find(l);
	if (l->n <= l->nthreads || l->nthreads < 2)
		return;
	pool.nthreads = l->nthreads;
	pool.group = hand_out_group(m, l->members);
	pool.mean = mean_of(l);
	doubt = doubt_of(l);
	pool.doubt = doubt ? text_format("%s", doubt) : NULL;
	*vector_add(&h->pools) = pool;
	if (!doubt)
		items_add(l);
	h->pools.at[h->pools.n - 1].end = h->items.n;
}

static void role_find(struct hand_out_finding *f, const struct form *form)
{
	uint32_t nthreads = f->model->trace->nthreads;
	chunks all = chunks_of(f->model, form);
	size_t end;

	for (size_t i = 0; i < all.n; i = end) {
		struct loop l = {.finding = f, .chunks = &all.at[i]};

		end = run_end(form, &all, i);
		l.n = end - i;
		if (l.n < FEWEST_CHUNKS)
			continue;
		l.last = array_zero(nthreads, sizeof *l.last);
		l.members = array_zero(nthreads, sizeof *l.members);
		pool_add(&l, form);
		free(l.last);
		free(l.members);
	}
	free(all.at);
}

void hand_out_find_loops(struct hand_out_finding *f)
{
	const struct instance_set *set = f->model->set;
	struct form form;

	for (unsigned i = 0; i < set->nlogged; i++)
		if (form_of(&set->roles[i], &form) && form.first < 0)
			role_find(f, &form);
}
