#include "analysis/replay/program/operations.h"
#include "analysis/graph/run_end.h"
#include "analysis/replay/program/apart_waits.h"
#include "analysis/replay/program/thread_items.h"
#include "analysis/replay/program/wait_operations.h"
#include "base/search.h"
#include <stdlib.h>

/* Sets what it took to have a lock, or a slot, that was free. */
static void free_take_set(const struct operation_making *k, struct operation *o)
{
	o->time = k->facts->handover.time;
	o->before = k->facts->handover.before;
	o->after = k->facts->handover.after;
}

/* Sets what it took to have a lock that another thread released. */
static void take_set(const struct operation_making *k, uint32_t thread, struct operation *o,
		     const struct model_hold *h)
{
	const struct model *m = k->model;

	if (h->wait != NO_NUMBER) {
		const struct model_wait *w = &m->contended.at[h->wait];
		int64_t left;

		operation_parts(o, wait_parts_of(m, thread, w->arrived, w->since, hold_taken(h)));
		/*
		 * what it ran each time that it was woken and another one had the lock comes about
		 */
		left = model_leaves(m, thread, w->arrived, w->since) - w->arrived;
		o->before = left < o->before ? (uint32_t)left : o->before;
		if (o->latency == NO_LATENCY && o->before < k->facts->handover.before)
			o->before = k->facts->handover.before;
	} else if (k->handed.time == h->start && k->handed.lock == h->lock) {
		operation_parts(o, k->handed.taken);
	} else {
		free_take_set(k, o);
	}
	if (k->facts->spun[h->lock])
		o->before = OPERATION_SPINS;
}

/* What begins with the request comes before it, and all else after it. */
static void request_add(struct operation_making *k, const struct device_request *r, double work)
{
	operation_add(k, OPERATION_SERVE, r->device, r->time, work)->time =
	    operation_time(r->length);
	operation_timed(k, r->time, r->time + 1);
}

/* An item begins: it waits for its push, here or in a later wait. */
static void mark_add(struct operation_making *k, uint32_t thread, const struct thread_item *i,
		     double work)
{
	const struct hand_out_mark *mark = &k->rules->hand_out->marks.at[i->number];
	const struct handed_item *item;
	uint32_t push;

	operation_add(k, OPERATION_DELAY, 0, i->time, work);
	*vector_add(&k->marked) = (struct marked_operation){k->result->all.n - 1, mark};
	k->supply.stretch = NO_STRETCH;
	if (mark->item == NO_ITEM)
		return;
	item = &k->rules->hand_out->items.at[mark->item];
	if (item->pusher == NO_THREAD)
		return;
	push = operation_post(k, item->pusher, item->pushed);
	k->supply.stretch = wait_operations_supplied(k, thread, item->taken);
	k->supply.push = push;
	k->supply.pushed = item->pushed;
	k->supply.until = item->taken;
	if (k->supply.stretch == NO_STRETCH)
		operation_add(k, OPERATION_WAIT, push, i->time, 0);
	else
		operation_add(k, OPERATION_DELAY, 0, i->time, 0);
}

/* Adds what a lock's hold begins with, or a lock that is free again. */
static void take_add(struct operation_making *k, uint32_t thread, const struct thread_item *i,
		     double work)
{
	const struct model_hold *h = &k->model->holds.at[i->number];
	struct operation *o = operation_hold(k, OPERATION_TAKE, i->number, i->time, work);

	take_set(k, thread, o, h);
	operation_timed(k, i->time, hold_taken(h));
}

static void need_add(struct operation_making *k, const struct thread_item *i, double work)
{
	const struct need *n = &k->model->needs.at[i->number];

	operation_add(k, OPERATION_WAIT, operation_post(k, n->of, n->moment), i->time, work);
}

/* A thread takes a slot that was free in the recorded run, or gives one back. */
static void slot_add(struct operation_making *k, const struct thread_item *i, double work)
{
	const struct slot_event *e = &k->rules->locks->slots->events.at[i->number];
	struct operation *o = operation_slot(k, e->takes ? OPERATION_TAKE : OPERATION_RELEASE,
					     e->semaphore, i->time, work);

	if (e->takes)
		free_take_set(k, o);
}

static void item_add(struct operation_making *k, uint32_t thread, const struct thread_item *i,
		     double work)
{
	if (i->order != ITEM_WAITED)
		wait_operations_slept(k, thread);
	switch (i->order) {
	case ITEM_WAITED:
		wait_operations_add(k, thread, &k->reasons->all.at[i->number], work);
		break;
	case ITEM_POST:
		operation_add(k, OPERATION_POST, (uint32_t)i->number, i->time, work);
		break;
	case ITEM_NEED:
		need_add(k, i, work);
		break;
	case ITEM_REQUEST:
		request_add(k, &k->rules->devices->requests.at[i->number], work);
		break;
	case ITEM_MARK:
		mark_add(k, thread, i, work);
		break;
	case ITEM_TAKE:
		take_add(k, thread, i, work);
		break;
	case ITEM_RELEASE:
		operation_hold(k, OPERATION_RELEASE, i->number, i->time, work);
		wait_operations_released(k, i->number, i->time);
		break;
	case ITEM_GIVE:
	case ITEM_SLOT:
		slot_add(k, i, work);
		break;
	case ITEM_NONE:
		break;
	}
}

/* Takes off what contended calls cost on a lock that is no more. */
static double without_excess(struct operation_making *k, const struct thread_item *i, double work)
{
	const struct lock_plan *plan = k->rules->locks;

	if (!plan || !plan->excess)
		return work;
	if (i->order == ITEM_TAKE)
		k->excess += (double)lock_excess_before(k->model, plan->excess, i->number);
	if (k->excess <= work) {
		work -= k->excess;
		k->excess = 0;
		return work;
	}
	k->excess -= work;
	return 0;
}

/* The thread begins when its creator lets it, or when it did. */
static void beginning_add(struct operation_making *k, uint32_t thread)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	bool ready = l->stretches[0].activity == ACTIVITY_READY;
	int64_t end = ready ? stretch_end(l, 0) : l->begin;
	struct operation *o;

	if (l->creator != NO_THREAD) {
		o = operation_add(k, OPERATION_WAIT, operation_post(k, l->creator, l->created), end,
				  0);
		operation_parts(o, wait_end_parts(k->model, thread, l->created, end));
	} else {
		o = operation_add(k, OPERATION_DELAY, 0, end, 0);
		operation_parts(o, wait_end_parts(k->model, thread, 0, end));
		o->unknown =
		    operation_unknown_share(unknown_before(k->model->unknown, thread), end);
	}
	if (o->latency == NO_LATENCY)
		o->latency = 0; /* it was not ready before */
}

/*
 * A thread spins before a time, if it does: it waits, and what it ran meanwhile comes about. *now:
 * up to when it has done all; it goes on after the loop. Returns what it runs before an operation
 * at that time.
 */
static double spin_add(struct operation_making *k, uint32_t thread, int64_t time, int64_t *now,
		       double work)
{
	const struct spin_loop *l =
	    k->spin < k->facts->spins.n ? &k->facts->spins.at[k->spin] : NULL;
	struct operation *o;

	while (l && l->thread == thread && l->from < time) {
		work += operation_work_until(k, thread, *now, l->from > *now ? l->from : *now);
		o = operation_add(k, OPERATION_WAIT, operation_post(k, l->of, l->time), l->to,
				  work);
		o->before = OPERATION_SPINS;
		o->yields = l->yields;
		o->time = l->time < l->to ? wait_latency(k->model, thread, l->time, l->to) : 0;
		operation_timed(k, l->from, l->to);
		work = 0;
		*now = l->to > *now ? l->to : *now;
		l = ++k->spin < k->facts->spins.n ? &k->facts->spins.at[k->spin] : NULL;
	}
	return work;
}

/*
 * Ends a thread. If the program ends it while it holds a lock, the lock is free from then on: a
 * thread that took it before in the recorded run may come later now.
 */
static void end_add(struct operation_making *k, uint32_t thread, double work)
{
	const struct model *m = k->model;
	int64_t end = m->graph->threads[thread].end;

	for (size_t i = m->first_hold[thread]; i < m->first_hold[thread + 1]; i++)
		if (m->holds.at[i].end > end) {
			operation_hold(k, OPERATION_RELEASE, i, end, work);
			work = 0;
		}
	operation_add(k, OPERATION_END, 0, end, work);
}

/* Other programs had the processor when a thread was woken, in operations from one on. */
static void woken_find(struct operation_making *k, size_t first)
{
	double follows = k->rules->woken == WOKEN_STAYS     ? 0
			 : k->rules->woken == WOKEN_FOLLOWS ? 1
							    : WOKEN_FOLLOWING;

	for (size_t i = first; i < k->result->all.n; i++) {
		const struct operation *o = &k->result->all.at[i];

		if (!o->others || o->latency == NO_LATENCY || k->share.lost == i)
			continue;
		k->result->others.woken += o->latency;
		share_woken(&k->share, k->result, i, follows);
	}
}

/* Adds a thread's items. Returns up to when it has done all; *stamping: what it did since then. */
static int64_t items_add(struct operation_making *k, uint32_t thread, int64_t *stamping)
{
	const struct model *m = k->model;
	int64_t now = m->graph->threads[thread].begin;
	struct thread_item item;

	*stamping = 0;
	while (thread_item_next(k, thread, &item)) {
		double work = spin_add(k, thread, item.time, &now, (double)*stamping);
		size_t added = k->result->all.n;

		work += operation_work_until(k, thread, now, item.time);
		*stamping = 0;
		item_add(k, thread, &item, without_excess(k, &item, work));
		woken_find(k, added);
		if (item.time > now)
			now = item.time;
		if (item.order == ITEM_TAKE && m->holds.at[item.number].wait != NO_NUMBER) {
			const struct model_hold *h = &m->holds.at[item.number];

			/*
			 * the wait comes about; what it did with the lock up to the stamp does not
			 */
			now = h->start;
			*stamping = h->start - hold_taken(h);
		}
	}
	return now;
}

static void thread_add(struct operation_making *k, uint32_t thread)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	const struct thread_item none = {.order = ITEM_NONE};
	int64_t now = l->begin, stamping = 0;
	double left;

	k->stretch = 0;
	k->speed = k->rules->speeds ? k->rules->speeds->first[thread] : 0;
	k->handed = (struct handed){.time = -1};
	k->supply.stretch = NO_STRETCH;
	k->excess = 0;
	k->share = (struct share_search){.lost = NOTHING_LOST};
	event_counter_open(&k->events, k->model->trace, thread);
	thread_items_open(k, thread);
	if (l->n) {
		beginning_add(k, thread);
		now = items_add(k, thread, &stamping);
	}
	wait_operations_end(k, thread);
	left = spin_add(k, thread, l->end, &now, (double)stamping);
	end_add(k, thread,
		without_excess(k, &none, left + operation_work_until(k, thread, now, l->end)));
	share_end(&k->share, k->result);
	while (k->spin < k->facts->spins.n && k->facts->spins.at[k->spin].thread <= thread)
		k->spin++;
}

/* Returns which threads the end of their process ends. */
static bool *ended_of(const struct graph *g)
{
	bool *ended = array_new(g->trace->nthreads, sizeof *ended);

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		ended[t] = g->threads[t].ended || !g->threads[t].n;
	return ended;
}

/*
 * Who hands out items waits until all are done, also if it came last in this run: threads that take
 * some are not cut at the end of the run.
 */
static void takers_end(struct operations *o)
{
	for (uint32_t t = 0; t < o->nthreads; t++)
		for (size_t i = o->first[t]; o->ended[t] && i < o->first[t + 1]; i++)
			o->ended[t] = o->all.at[i].kind != OPERATION_NEXT;
}

/*
 * Returns how many operations there are at most, but for rare ones: of waits that end with a lock
 * and of loops. Memory for more of them is not used until they are there; if the list grew, it
 * might be there twice for a time.
 */
static size_t most_operations(const struct operation_making *k)
{
	const struct model *m = k->model;
	size_t n = 2 * m->holds.n + k->facts->posts.n + m->needs.n + 2 * (size_t)m->trace->nthreads;

	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		for (size_t i = 0; i < m->graph->threads[t].n; i++)
			n += m->graph->threads[t].stretches[i].activity != ACTIVITY_RUNNING;
	if (k->rules->hand_out)
		n += 2 * k->rules->hand_out->marks.n;
	if (k->rules->devices)
		n += k->rules->devices->requests.n;
	if (k->rules->locks && k->rules->locks->slots)
		n += k->rules->locks->slots->events.n;
	return n + n / 16 + 3 * k->facts->timed.n + k->facts->spins.n;
}

static void single_forget(struct operations *o)
{
	o->all.at = NULL;
	o->all.n = o->all.room = 0;
	o->pieces.at = NULL;
	o->pieces.n = o->pieces.room = 0;
}

void operations_pass(struct operations *from, struct operations *to)
{
	to->all = from->all;
	to->pieces = from->pieces;
	single_forget(from);
}

/* Takes the memory of operations that are no longer needed if it is enough; else frees it. */
static void memory_take(struct operation_making *k)
{
	struct operations *o = k->result, *spent = k->rules->spent;
	size_t most = most_operations(k);

	if (spent && spent->all.room >= most) {
		o->all.at = spent->all.at;
		o->all.room = spent->all.room;
	} else if (spent) {
		free(spent->all.at);
	}
	if (spent) {
		free(spent->pieces.at);
		single_forget(spent);
	}
	o->all.at = vector_reserve(o->all.at, most, &o->all.room, sizeof *o->all.at);
}

/* Whether lengths were cut. Only in a long run, or in a slower one, can there be any. */
static bool is_cut(const struct operations *o, const struct operation_rules *rules)
{
	if (o->duration < LONGEST_WORK && !rules->speeds)
		return false;
	for (size_t i = 0; i < o->all.n; i++)
		if (o->all.at[i].work >= LONGEST_WORK || o->all.at[i].time >= LONGEST_TIME)
			return true;
	return false;
}

/* Returns how many threads have each lock at once, or NULL. */
static uint32_t *rooms_of(const struct operations *o, const struct lock_plan *locks)
{
	const struct slot_plan *p = locks ? locks->slots : NULL;
	uint32_t *rooms = p ? array_zero(o->nlocks, sizeof *rooms) : NULL;

	for (uint32_t i = 0; p && i < p->nobjects; i++)
		if (p->numbers[i] != NO_NUMBER)
			rooms[i] = p->all.at[p->numbers[i]].slots;
	return rooms;
}

struct operations *operations_of(struct model *m, const struct operation_rules *rules)
{
	struct operations *o = array_zero(1, sizeof *o);
	struct operation_making k = {.model = m, .rules = rules, .result = o};

	o->nthreads = m->trace->nthreads;
	o->duration = run_end_time(m->graph);
	o->ended = ended_of(m->graph);
	o->wake_up = m->readiness->wake_up;
	o->switching = m->readiness->switching;
	o->first = array_new(o->nthreads + 1, sizeof *o->first);
	o->ndevices = rules->devices ? (uint32_t)rules->devices->all.n : rules->device;
	o->nservers = apart_wait_servers(m);
	k.reasons = wait_reasons_of(m, rules->hand_out);
	k.facts = k.reasons->facts;
	o->spinning = k.facts->spinning;
	memory_take(&k);
	for (uint32_t t = 0; t < o->nthreads; t++) {
		o->first[t] = o->all.n;
		thread_add(&k, t);
	}
	o->first[o->nthreads] = o->all.n;
	o->nlocks = rules->locks ? rules->locks->nlocks : (uint32_t)m->locks->locks.n;
	o->rooms = rooms_of(o, rules->locks);
	o->nposts = (uint32_t)k.facts->posts.n + 1; /* and one that nobody makes */
	o->nmeetings = (uint32_t)k.facts->meetings.n;
	o->members = array_new(o->nmeetings, sizeof *o->members);
	for (uint32_t i = 0; i < o->nmeetings; i++)
		o->members[i] = k.facts->members[i];
	if (rules->hand_out) {
		pieces_make(o, rules->hand_out, &k.marked);
		takers_end(o);
	}
	o->cut = is_cut(o, rules);
	free(k.marked.at);
	free(k.coming.held.at);
	free(k.loop.places.at);
	free(k.timed.places.at);
	return o;
}

size_t operations_piece(const struct operations *o, size_t operation)
{
	if (operation < o->first[o->nthreads])
		return NO_PIECE;
	return lower_bound(k, (size_t)0, o->pieces.n, o->pieces.at[k].first <= operation) - 1;
}

uint32_t operations_recorder(const struct operations *o, size_t operation)
{
	size_t piece = operations_piece(o, operation);

	if (piece != NO_PIECE)
		return o->pieces.at[piece].thread;
	return operations_thread(
	    o, lower_bound(t, (uint32_t)0, o->nthreads, o->first[t + 1] <= operation));
}

void operations_free(struct operations *o)
{
	free(o->all.at);
	free(o->times.at);
	free(o->waits.at);
	free(o->first);
	free(o->origins);
	free(o->ended);
	free(o->members);
	free(o->rooms);
	free(o->pieces.at);
	free(o->pools.at);
	free(o->pace);
	free(o);
}
