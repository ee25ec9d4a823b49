#include "viewers/gorge/index/logical.h"
#include "base/search.h"
#include "match/join/match.h"
#include "viewers/gorge/index/event_walk.h"
#include <stdlib.h>

/* ---- pairs ---- */

static bool leads(const struct spec *spec, const struct interval *interval)
{
	bool some = false;

	for (unsigned i = 0; i < spec->nintervals; i++)
		some |= spec->intervals[i]->connection != CONNECTION_NONE ||
			spec->intervals[i]->kind == KIND_CAUSE;
	return !some || interval->connection != CONNECTION_NONE || interval->kind == KIND_CAUSE;
}

static void add_pairs(struct logical_order *o, const struct event_index *x, struct trace *t,
		      const struct interval *interval)
{
	bool backwards = interval->direction == BACKWARDS;
	struct matches *m = match_interval(t, interval);
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		matches_get(m, a, &i);
		if (!i.partner.record || i.anchor.thread == i.partner.thread)
			continue;
		const struct event *early = backwards ? &i.partner : &i.anchor,
				   *late = backwards ? &i.anchor : &i.partner;
		*vector_add(&o->pairs) =
		    (struct logical_pair){{event_index_id(x, early), early->seq},
					  {event_index_id(x, late), late->seq},
					  interval->index,
					  false};
	}
	matches_free(m);
}

static int compare_late(const void *pa, const void *pb)
{
	const struct logical_pair *a = pa, *b = pb;

	if (a->late.id != b->late.id)
		return a->late.id < b->late.id ? -1 : 1;
	return (a->early.id > b->early.id) - (a->early.id < b->early.id);
}

static int compare_early(const void *pa, const void *pb, void *context)
{
	const struct logical_pair *pairs = context, *a = &pairs[*(const size_t *)pa],
				  *b = &pairs[*(const size_t *)pb];

	if (a->early.id != b->early.id)
		return a->early.id < b->early.id ? -1 : 1;
	return (a > b) - (a < b);
}

static void sort_pairs(struct logical_order *o)
{
	o->by_early = array_zero(o->pairs.n, sizeof *o->by_early);
	if (o->pairs.n == 0)
		return;
	qsort(o->pairs.at, o->pairs.n, sizeof *o->pairs.at, compare_late);
	for (size_t i = 0; i < o->pairs.n; i++)
		o->by_early[i] = i;
	qsort_r(o->by_early, o->pairs.n, sizeof *o->by_early, compare_early, o->pairs.at);
}

/* ---- numbers ---- */

/* A thread whose events are being numbered; it waits where an event of another one comes first. */
struct numbered_thread {
	struct event_walk walk;
	size_t pair, end; /* the next one that ends in it, and the last */
	unsigned awaited; /* the thread it waits for */
	bool waits;
	int next; /* in the list of those who wait for the same, or can go on; -1 */
};

struct numbering {
	struct logical_order *order;
	struct numbered_thread *threads;
	int *waiters; /* by thread: who waits for it; -1: nobody */
	int ready;
};

static bool is_numbered(const struct logical_order *o, const struct logical_event *e)
{
	const struct logical_thread *t = &o->threads[event_id_thread(e->id)];

	return t->numbers.n && e->seq < t->first + t->numbers.n;
}

static void number_event(struct logical_order *o, unsigned thread, uint64_t seq, uint32_t number)
{
	struct logical_thread *t = &o->threads[thread];
	uint32_t before = t->numbers.n ? t->numbers.at[t->numbers.n - 1] : number;

	if (t->numbers.n == 0)
		t->first = seq;
	while (t->first + t->numbers.n < seq)
		*vector_add(&t->numbers) = before;
	*vector_add(&t->numbers) = number;
	o->last = number > o->last ? number : o->last;
}

/* Numbers the next event of a thread. Returns false if another one has to be numbered first. */
static bool number_next(struct numbering *n, unsigned thread)
{
	struct logical_order *o = n->order;
	struct numbered_thread *t = &n->threads[thread];
	const struct logical_thread *own = &o->threads[thread];
	uint32_t number = own->numbers.n ? own->numbers.at[own->numbers.n - 1] + 1 : 0;

	for (size_t i = t->pair;
	     i < t->end && event_id_unit(o->pairs.at[i].late.id) <= t->walk.at.unit; i++) {
		const struct logical_pair *p = &o->pairs.at[i];
		unsigned from = event_id_thread(p->early.id);
		if (p->against)
			continue;
		if (!is_numbered(o, &p->early)) {
			t->awaited = from;
			return false;
		}
		uint32_t least = o->threads[from].numbers.at[p->early.seq - o->threads[from].first];
		number = least >= number ? least + 1 : number;
	}
	while (t->pair < t->end && event_id_unit(o->pairs.at[t->pair].late.id) <= t->walk.at.unit)
		t->pair++;
	number_event(o, thread, t->walk.at.seq, number);
	event_walk_step(&t->walk);
	return true;
}

static void make_ready(struct numbering *n, int thread)
{
	n->threads[thread].waits = false;
	n->threads[thread].next = n->ready;
	n->ready = thread;
}

/* Numbers the events of a thread as far as it goes; those who waited for it go on. */
static void number_thread(struct numbering *n, int thread)
{
	struct numbered_thread *t = &n->threads[thread];
	int waiter = -1;

	while (!t->walk.ended && number_next(n, (unsigned)thread))
		waiter = n->waiters[thread];
	if (waiter >= 0)
		n->waiters[thread] = -1;
	if (!t->walk.ended) {
		t->waits = true;
		t->next = n->waiters[t->awaited];
		n->waiters[t->awaited] = thread;
	}
	for (int next; waiter >= 0; waiter = next) {
		next = n->threads[waiter].next;
		make_ready(n, waiter);
	}
}

/*
 * Of threads that all wait for one another lets that one go on whose next event is the first of
 * all: what should come before it is left out.
 */
static bool break_cycle(struct numbering *n)
{
	int first = -1;

	for (unsigned i = 0; i < n->order->nthreads; i++)
		if (n->threads[i].waits &&
		    (first < 0 || n->threads[i].walk.at.time < n->threads[first].walk.at.time))
			first = (int)i;
	if (first < 0)
		return false;
	struct numbered_thread *t = &n->threads[first];
	for (size_t i = t->pair;
	     i < t->end && event_id_unit(n->order->pairs.at[i].late.id) <= t->walk.at.unit; i++)
		if (!is_numbered(n->order, &n->order->pairs.at[i].early)) {
			n->order->against += !n->order->pairs.at[i].against;
			n->order->pairs.at[i].against = true;
		}
	int *link = &n->waiters[t->awaited];
	while (*link != first)
		link = &n->threads[*link].next;
	*link = t->next;
	make_ready(n, first);
	return true;
}

void logical_order_number(struct logical_order *o, const struct event_index *x)
{
	struct numbering n = {o, array_zero(o->nthreads, sizeof *n.threads),
			      array_zero(o->nthreads, sizeof *n.waiters), -1};

	sort_pairs(o);
	for (unsigned i = o->nthreads; i-- > 0;) {
		struct numbered_thread *t = &n.threads[i];
		event_walk_begin(&t->walk, x, i, NULL);
		event_walk_to_unit(&t->walk, 0);
		t->pair = lower_bound(k, (size_t)0, o->pairs.n,
				      o->pairs.at[k].late.id < event_id_make(i, 0));
		t->end = lower_bound(k, t->pair, o->pairs.n,
				     o->pairs.at[k].late.id < event_id_make(i + 1, 0));
		n.waiters[i] = -1;
		make_ready(&n, (int)i);
	}
	do
		while (n.ready >= 0) {
			int thread = n.ready;
			n.ready = n.threads[thread].next;
			number_thread(&n, thread);
		}
	while (break_cycle(&n));
	free(n.threads);
	free(n.waiters);
}

struct logical_order *logical_order_new(const struct event_index *x, struct trace *t)
{
	struct logical_order *o = array_zero(1, sizeof *o);

	o->nthreads = t->nthreads;
	o->threads = array_zero(t->nthreads, sizeof *o->threads);
	for (unsigned i = 0; i < t->spec->nintervals; i++)
		if (leads(t->spec, t->spec->intervals[i]))
			add_pairs(o, x, t, t->spec->intervals[i]);
	logical_order_number(o, x);
	return o;
}

void logical_order_free(struct logical_order *o)
{
	if (!o)
		return;
	for (unsigned i = 0; i < o->nthreads; i++)
		free(o->threads[i].numbers.at);
	free(o->threads);
	free(o->pairs.at);
	free(o->by_early);
	free(o);
}

/* ---- what is beside an event ---- */

const struct logical_pair *logical_pairs_to(const struct logical_order *o, event_id late, size_t *n)
{
	size_t i = lower_bound(k, (size_t)0, o->pairs.n, o->pairs.at[k].late.id < late), end = i;

	while (end < o->pairs.n && o->pairs.at[end].late.id == late)
		end++;
	*n = end - i;
	return o->pairs.at + i;
}

const size_t *logical_pairs_from(const struct logical_order *o, event_id early, size_t *n)
{
	size_t i = lower_bound(k, (size_t)0, o->pairs.n,
			       o->pairs.at[o->by_early[k]].early.id < early),
	       end = i;

	while (end < o->pairs.n && o->pairs.at[o->by_early[end]].early.id == early)
		end++;
	*n = end - i;
	return o->by_early + i;
}
