#include "analysis/replay/items/hand_out_finding.h"
#include "base/search.h"
#include "base/sort.h"
#include <stdlib.h>

/*
 * FEWEST_ITEMS: of fewer nothing can be said. NEAR: so much a hold's end and a wait's begin are
 * apart at most if the wait releases the lock, ns. ON_THE_WAY: so much a thread runs at most from
 * a wait for an item to the item's lock, ns.
 */
enum { FEWEST_ITEMS = 4, NEAR = 2000, ON_THE_WAY = 20000 };

/*
 * A thread does at most so much of an item's mean before it comes for its first one, and after the
 * last one.
 */
static const double most_aside = 0.25;

/* What a thread does between two meetings. */
struct take_phase {
	int64_t meeting; /* the thread's next one; INT64_MAX: none */
	int64_t since;   /* the end of its last one, or its beginning */
};

/* A thread takes a lock at a call site; between that and its release it may wait on a condition. */
struct lock_take {
	int64_t came;  /* to the lock, or to a wait for what it finds there */
	int64_t taken; /* for the last time */
	uint32_t hold; /* the model's, from then on */
	uint32_t class, phase;
	uint32_t thread : 31;
	uint32_t holds : 1; /* another lock then, or this one is a reader's */
};

/* When a thread begins and ends by its events: the system is busy with it before and after that. */
struct event_life {
	int64_t from, to;
};

struct lock_takes {
	struct hand_out_finding *finding;
	const struct model *model;
	VECTOR(struct take_phase) phases;
	VECTOR(struct lock_take) takes; /* by thread, then time */
	uint32_t *order;                /* of the takes: by class */
	size_t *first;                  /* where each class begins in it, and one more */
	struct timeline_sums *sums;     /* by thread: what it does for itself */
	struct timeline_sums *clocked;  /* by thread: waits whose time was up */
	bool *members;                  /* by thread */
	struct event_life *lives;       /* by thread */
};

/* Takes of one class before one meeting, and what they say. */
struct take_group {
	const uint32_t *order;
	size_t n, nthreads;
	uint32_t class;
	double worked; /* in all items, ns */
	bool ends;     /* threads find nothing at last */
	bool begins;   /* they do little before their first item */
	bool clocked;  /* a thread comes when its time is up, not when it has done an item */
};

static const struct lock_take *take_at(const struct lock_takes *k, const struct take_group *g,
				       size_t i)
{
	return &k->takes.at[g->order[i]];
}

/* Returns when a thread released the lock of a take. */
static int64_t take_released(const struct lock_takes *k, const struct lock_take *t)
{
	const struct model_hold *h = &k->model->holds.at[t->hold];

	return h->end == INT64_MAX ? k->model->graph->threads[t->thread].end : hold_released(h);
}

typedef VECTOR(struct take_group) groups;

static bool is_last_of_thread(const struct lock_takes *k, const struct take_group *g, size_t i)
{
	return i + 1 == g->n || take_at(k, g, i + 1)->thread != take_at(k, g, i)->thread;
}

static void lives_find(struct lock_takes *k)
{
	const struct model *m = k->model;

	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		k->lives[t] =
		    (struct event_life){m->graph->threads[t].begin, m->graph->threads[t].end};
	for (unsigned i = 0; i < m->set->nlives; i++) {
		const struct event_list *begins =
		    trace_events(m->trace, m->set->lives[i].start.event);
		const struct event_list *ends = trace_events(m->trace, m->set->lives[i].end.event);
		struct event e;

		for (size_t n = begins ? event_list_size(begins) : 0; n--;) {
			event_list_look(begins, n, &e);
			k->lives[trace_thread_index(m->trace, e.thread)].from = e.time;
		}
		for (size_t n = ends ? event_list_size(ends) : 0; n--;) {
			event_list_look(ends, n, &e);
			k->lives[trace_thread_index(m->trace, e.thread)].to = e.time;
		}
	}
}

/* ---- takes ---- */

/* Whether a thread waits, on a condition, from the end of one hold to the beginning of the next. */
static bool is_regained(const struct model *m, const struct model_hold *h,
			const struct model_hold *next)
{
	const span_vector *waits = instance_spans(m->set, SPANS_WAIT, h->thread);
	const struct instance_span *w = waits->at;
	size_t i = lower_bound(k, (size_t)0, waits->n, w[k].start < h->end - NEAR);

	if (next->lock != h->lock || h->end == INT64_MAX)
		return false;
	for (; i < waits->n && w[i].start <= h->end + NEAR; i++) {
		uint32_t object = model_wait_lock(m, &w[i]);

		if (w[i].start < next->start && w[i].end >= next->start - NEAR &&
		    object != NO_LOCK && object != h->lock)
			return true;
	}
	return false;
}

/* Whether another thread ends a wait, but by the release of a lock. */
static bool is_ended_by_other(const struct model *m, uint32_t thread, size_t stretch)
{
	size_t i = lower_bound(k, m->first_cause[thread], m->first_cause[thread + 1],
			       m->causes.at[k].stretch < stretch);

	for (; i < m->first_cause[thread + 1] && m->causes.at[i].stretch == stretch; i++)
		if (!m->causes.at[i].meeting && m->causes.at[i].lock == NO_LOCK)
			return true;
	return false;
}

/*
 * Returns since when a thread comes for an item: it may wait for one, as on a semaphore, before it
 * comes to the lock. released: when it last released one.
 */
static int64_t came_since(const struct model *m, uint32_t thread, int64_t released, int64_t arrived)
{
	const struct timeline *l = &m->graph->threads[thread];
	size_t i = stretch_before(l, arrived);
	int64_t ran = 0;

	if (i == l->n)
		return arrived;
	for (; l->stretches[i].from >= released; i--) {
		const struct stretch *s = &l->stretches[i];
		int64_t end = stretch_end(l, i) < arrived ? stretch_end(l, i) : arrived;

		if (s->activity == ACTIVITY_WAITING || s->activity == ACTIVITY_BLOCKED)
			return is_ended_by_other(m, thread, i) ? s->from : arrived;
		ran += s->activity == ACTIVITY_RUNNING ? end - s->from : 0;
		if (!i || ran > ON_THE_WAY)
			break;
	}
	return arrived;
}

/* Returns the number of the phase up to a meeting: a new one, unless it is the last one. */
static uint32_t phase_number(struct lock_takes *k, int64_t since, int64_t meeting)
{
	const struct take_phase *last = k->phases.n ? &k->phases.at[k->phases.n - 1] : NULL;

	if (!last || last->since != since || last->meeting != meeting)
		*vector_add(&k->phases) = (struct take_phase){meeting, since};
	return (uint32_t)k->phases.n - 1;
}

/* Adds the takes of a thread. */
static void thread_takes(struct lock_takes *k, uint32_t thread)
{
	const struct model *m = k->model;
	const struct timeline *l = &m->graph->threads[thread];
	const span_vector *spans = instance_spans(m->set, SPANS_HOLD, thread);
	size_t first = m->first_hold[thread], end = m->first_hold[thread + 1];
	size_t cause = m->first_cause[thread];
	int64_t since = k->lives[thread].from, held = INT64_MIN, released;

	for (size_t i = first, last; i < end; i = last + 1) {
		const struct model_hold *h = &m->holds.at[i], *g = h;
		int64_t arrived = hold_arrived(m, h), meeting = INT64_MAX;

		for (last = i; last + 1 < end && is_regained(m, g, g + 1); last++)
			g++;
		for (; cause < m->first_cause[thread + 1]; cause++) {
			const struct model_cause *c = &m->causes.at[cause];

			if (c->meeting && stretch_end(l, c->stretch) > arrived) {
				meeting = c->time;
				break;
			}
			if (c->meeting)
				since = stretch_end(l, c->stretch);
		}
		*vector_add(&k->takes) =
		    (struct lock_take){.class = spans->at[i - first].class,
				       .thread = thread & (UINT32_MAX >> 1),
				       .phase = phase_number(k, since, meeting),
				       .came = came_since(m, thread, held, arrived),
				       .taken = hold_taken(g),
				       .hold = (uint32_t)last,
				       .holds = held > arrived || h->shared};
		released = take_released(k, &k->takes.at[k->takes.n - 1]);
		held = released > held ? released : held;
	}
}

static void takes_sort(struct lock_takes *k)
{
	size_t nclasses = k->model->set->classes.n;

	k->first = array_zero(nclasses + 2, sizeof *k->first);
	k->order = array_new(k->takes.n, sizeof *k->order);
	for (size_t i = 0; i < k->takes.n; i++)
		k->first[k->takes.at[i].class + 2]++;
	for (size_t i = 2; i < nclasses + 2; i++)
		k->first[i] += k->first[i - 1];
	for (size_t i = 0; i < k->takes.n; i++)
		k->order[k->first[k->takes.at[i].class + 1]++] = (uint32_t)i;
}

/* ---- what a group says ---- */

static bool is_own(const struct stretch *s)
{
	return s->activity == ACTIVITY_RUNNING ||
	       (s->activity != ACTIVITY_READY && s->cause_thread == NO_THREAD);
}

static bool is_clocked(const struct stretch *s)
{
	return s->timed_out;
}

static double time_between(struct lock_takes *k, struct timeline_sums *of, uint32_t thread,
			   bool (*takes)(const struct stretch *s), int64_t from, int64_t to)
{
	if (!of[thread].until)
		of[thread] = timeline_sums_of(&k->model->graph->threads[thread], takes);
	return from < to ? (double)timeline_sums_between(&of[thread], from, to) : 0;
}

static double own_time(struct lock_takes *k, uint32_t thread, int64_t from, int64_t to)
{
	return time_between(k, k->sums, thread, is_own, from, to);
}

/*
 * Returns up to when a thread may do something after its last item: a wait without an end is none.
 */
static int64_t aside_until(const struct lock_takes *k, const struct lock_take *t)
{
	const struct timeline *l = &k->model->graph->threads[t->thread];
	const struct stretch *last = &l->stretches[l->n - 1];

	if (k->phases.at[t->phase].meeting != INT64_MAX)
		return k->phases.at[t->phase].meeting;
	return last->activity == ACTIVITY_RUNNING ? k->lives[t->thread].to : last->from;
}

/*
 * Whether what most threads do aside is little: one may be the main thread, which also does other
 * things.
 */
static bool is_little(int64_t *times, size_t n, double mean)
{
	select_word(times, n, (n - 1) / 2);
	return (double)times[(n - 1) / 2] <= most_aside * mean;
}

static void group_measure(struct lock_takes *k, struct take_group *g)
{
	int64_t *before = array_new(g->n, sizeof *before), *after = array_new(g->n, sizeof *after);
	size_t first = 0;
	double mean;

	for (size_t i = 0; i < g->n; i++) {
		const struct lock_take *t = take_at(k, g, i), *begin = take_at(k, g, first);

		if (!is_last_of_thread(k, g, i))
			continue;
		before[g->nthreads] =
		    (int64_t)own_time(k, t->thread, k->phases.at[begin->phase].since, begin->came);
		after[g->nthreads++] = (int64_t)own_time(k, t->thread, t->came, aside_until(k, t));
		g->worked += own_time(k, t->thread, begin->came, t->came);
		g->clocked |=
		    2 * time_between(k, k->clocked, t->thread, is_clocked, begin->came, t->came) >
		    (double)(t->came - begin->came);
		first = i + 1;
	}
	mean = g->worked / (double)(g->n - g->nthreads);
	/* of fewer items than threads they take none in turn */
	if (!g->clocked && g->n >= FEWEST_ITEMS + g->nthreads && g->n > 2 * g->nthreads) {
		g->begins = is_little(before, g->nthreads, mean);
		g->ends = is_little(after, g->nthreads, mean);
	}
	free(before);
	free(after);
}

/* ---- who adds items ---- */

static void members_mark(struct lock_takes *k, const struct take_group *g, bool member)
{
	for (size_t i = 0; i < g->n; i++)
		k->members[take_at(k, g, i)->thread] = member;
}

struct item_supply {
	bool awaited; /* threads waited for items that others add */
	bool own;     /* that they add themselves */
};

/* What ended the waits in which threads got an item. */
static struct item_supply supply_of(const struct lock_takes *k, const struct take_group *g)
{
	const struct model *m = k->model;
	struct item_supply s = {false, false};

	for (size_t i = 0; i < g->n; i++) {
		const struct lock_take *t = take_at(k, g, i);
		size_t end = m->first_cause[t->thread + 1];
		size_t c =
		    lower_bound(n, m->first_cause[t->thread], end, m->causes.at[n].time < t->came);

		if (is_last_of_thread(k, g, i))
			continue;
		for (; c < end && m->causes.at[c].time <= t->taken; c++) {
			if (m->causes.at[c].meeting || m->causes.at[c].lock != NO_LOCK)
				continue;
			s.awaited = true;
			s.own |= k->members[m->causes.at[c].from];
		}
	}
	return s;
}

static int by_taken(const void *a, const void *b)
{
	const struct lock_take *x = *(const struct lock_take *const *)a,
			       *y = *(const struct lock_take *const *)b;

	if (x->taken != y->taken)
		return x->taken < y->taken ? -1 : 1;
	return (x > y) - (x < y);
}

/* Sorts takes by when they had the lock. */
static void takes_order(const struct lock_take **list, size_t n)
{
	if (n)
		qsort(list, n, sizeof *list, by_taken);
}

/* Returns the takes in which threads got items, in their order. The caller frees them. */
static const struct lock_take **items_of(const struct lock_takes *k, const struct take_group *g)
{
	const struct lock_take **list = array_new(g->n, sizeof *list);
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (!is_last_of_thread(k, g, i))
			list[n++] = take_at(k, g, i);
	takes_order(list, n);
	return list;
}

/*
 * Whether others took the lock at a call site as often as there are items, or once more for each
 * thread to end it.
 */
static bool may_push(const struct lock_takes *k, const struct take_group *g, uint32_t class)
{
	size_t n = k->first[class + 1] - k->first[class], items = g->n - g->nthreads;
	const struct span_class *c = &k->model->set->classes.at[class];

	if (class == g->class || c->lock != k->model->set->classes.at[g->class].lock ||
	    (n != items && n != g->n))
		return false;
	for (size_t i = k->first[class]; i < k->first[class + 1]; i++)
		if (k->members[k->takes.at[k->order[i]].thread])
			return false;
	return true;
}

/*
 * Returns the pushes of a class, in their order, if none comes after the item that it adds; else
 * NULL.
 */
static const struct lock_take **pushes_of(const struct lock_takes *k, const struct take_group *g,
					  uint32_t class, const struct lock_take **items)
{
	size_t n = k->first[class + 1] - k->first[class];
	const struct lock_take **list = array_new(n, sizeof *list);

	for (size_t i = 0; i < n; i++)
		list[i] = &k->takes.at[k->order[k->first[class] + i]];
	takes_order(list, n);
	for (size_t i = 0; i < g->n - g->nthreads; i++)
		if (list[i]->taken > items[i]->taken) {
			free(list);
			return NULL;
		}
	return list;
}

static const struct lock_take **pushes_find(const struct lock_takes *k, const struct take_group *g,
					    const struct lock_take **items)
{
	for (uint32_t class = 0; class < k->model->set->classes.n; class ++) {
		const struct lock_take **pushes =
		    may_push(k, g, class) ? pushes_of(k, g, class, items) : NULL;

		if (pushes)
			return pushes;
	}
	return NULL;
}

/* ---- pools ---- */

/* Returns where most takes of the lock by others are: they may be the pushes. NULL: not known. */
static const char *pushes_site(const struct lock_takes *k, const struct take_group *g)
{
	const struct instance_set *set = k->model->set;
	size_t most = 0;
	uint32_t found = 0;

	for (uint32_t class = 0; class < set->classes.n; class ++) {
		size_t n = k->first[class + 1] - k->first[class];

		if (class == g->class ||
		    set->classes.at[class].lock != set->classes.at[g->class].lock || n <= most ||
		    k->members[k->takes.at[k->order[k->first[class]]].thread])
			continue;
		most = n;
		found = class;
	}
	return most ? hand_out_site(k->model, found) : NULL;
}

static char *doubt_of(const struct lock_takes *k, const struct take_group *g,
		      const struct item_supply *s)
{
	const char *site = pushes_site(k, g);

	if (s->own)
		return text_format("they add items themselves");
	if (site)
		return text_format("the pushes at %s do not match the items", site);
	return text_format("the events do not show who adds the items");
}

static void items_add(struct lock_takes *k, const struct take_group *g,
		      const struct lock_take **items, const struct lock_take **pushes)
{
	struct hand_out *h = k->finding->result;
	size_t n = g->n - g->nthreads;

	for (size_t i = 0; i < n; i++) {
		*vector_add(&h->items) = (struct handed_item){
		    .thread = items[i]->thread,
		    .taken = items[i]->taken,
		    .pusher = pushes ? pushes[i]->thread : NO_THREAD,
		    .pushed = pushes ? take_released(k, pushes[i]) : 0,
		};
		hand_out_mark_add(k->finding, items[i]->thread, items[i]->came, h->items.n - 1);
	}
}

/* Threads find nothing when they come for the last time. */
static void ends_add(struct lock_takes *k, const struct take_group *g)
{
	size_t first = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct lock_take *t = take_at(k, g, i);

		if (!is_last_of_thread(k, g, i))
			continue;
		hand_out_mark_add(k->finding, t->thread, t->came, NO_ITEM);
		hand_out_turn_add(k->finding, t->thread, take_at(k, g, first)->came, t->came);
		first = i + 1;
	}
}

static bool is_free(const struct lock_takes *k, const struct take_group *g)
{
	size_t first = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct lock_take *t = take_at(k, g, i);

		if (t->holds)
			return false;
		if (!is_last_of_thread(k, g, i))
			continue;
		if (hand_out_is_taken(k->finding, t->thread, take_at(k, g, first)->came, t->came))
			return false;
		first = i + 1;
	}
	return true;
}

static void pool_add(struct lock_takes *k, const struct take_group *g)
{
	struct hand_out *h = k->finding->result;
	const struct span_class *class = &k->model->set->classes.at[g->class];
	const struct lock_take **items, **pushes;
	struct item_supply supply;
	struct hand_out_pool pool = {.kind = POOL_LOCK,
				     .name = k->model->locks->locks.at[class->lock].label,
				     .site = hand_out_site(k->model, g->class),
				     .nthreads = (uint32_t)g->nthreads,
				     .nitems = g->n - g->nthreads,
				     .mean = (int64_t)(g->worked / (double)(g->n - g->nthreads)),
				     .first = h->items.n};

	members_mark(k, g, true);
	pool.group = hand_out_group(k->model, k->members);
	items = items_of(k, g);
	pushes = pushes_find(k, g, items);
	supply = supply_of(k, g);
	if (supply.own || (supply.awaited && !pushes))
		pool.doubt = doubt_of(k, g, &supply);
	if (pushes || (g->begins && g->nthreads > 1)) {
		*vector_add(&h->pools) = pool;
		if (!pool.doubt) {
			items_add(k, g, items, pushes);
			ends_add(k, g);
		}
		h->pools.at[h->pools.n - 1].end = h->items.n;
	} else {
		free(pool.doubt);
	}
	members_mark(k, g, false);
	free(items);
	free(pushes);
}

/* ---- groups ---- */

static int by_work(const void *a, const void *b)
{
	const struct take_group *x = a, *y = b;

	if (x->worked != y->worked)
		return x->worked < y->worked ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

struct meeting_take {
	int64_t meeting;
	uint32_t take;
};

static int by_meeting(const void *a, const void *b)
{
	const struct meeting_take *x = a, *y = b;

	if (x->meeting != y->meeting)
		return x->meeting < y->meeting ? -1 : 1;
	return (x->take > y->take) - (x->take < y->take);
}

/* Returns the meeting before which a take is that has a place in the order. */
static int64_t meeting_at(const struct lock_takes *k, size_t place)
{
	return k->phases.at[k->takes.at[k->order[place]].phase].meeting;
}

/* Sorts the takes of a class by the next meeting. */
static void meetings_sort(struct lock_takes *k, uint32_t class)
{
	size_t first = k->first[class], n = k->first[class + 1] - first;
	struct meeting_take *list;
	bool met = false;

	for (size_t i = 0; i < n; i++)
		met |= meeting_at(k, first + i) != INT64_MAX;
	if (!met)
		return;
	list = array_new(n, sizeof *list);
	for (size_t i = 0; i < n; i++)
		list[i] = (struct meeting_take){meeting_at(k, first + i), k->order[first + i]};
	qsort(list, n, sizeof *list, by_meeting);
	for (size_t i = 0; i < n; i++)
		k->order[first + i] = list[i].take;
	free(list);
}

/* Adds the groups of a class that look like threads that come for items. */
static void class_groups(struct lock_takes *k, uint32_t class, groups *all)
{
	size_t next;

	if (k->first[class + 1] - k->first[class] <= FEWEST_ITEMS)
		return;
	meetings_sort(k, class);
	for (size_t i = k->first[class]; i < k->first[class + 1]; i = next) {
		struct take_group g = {.order = &k->order[i], .class = class};
		int64_t meeting = meeting_at(k, i);

		for (next = i; next < k->first[class + 1] && meeting_at(k, next) == meeting;)
			next++;
		g.n = next - i;
		group_measure(k, &g);
		if (g.ends)
			*vector_add(all) = g;
	}
}

void hand_out_find_locks(struct hand_out_finding *f)
{
	const struct model *m = f->model;
	struct lock_takes k = {.finding = f, .model = m};
	groups all = {0};

	k.sums = array_zero(m->trace->nthreads, sizeof *k.sums);
	k.clocked = array_zero(m->trace->nthreads, sizeof *k.clocked);
	k.lives = array_zero(m->trace->nthreads, sizeof *k.lives);
	lives_find(&k);
	k.members = array_zero(m->trace->nthreads, sizeof *k.members);
	k.takes.at = vector_reserve(NULL, m->holds.n, &k.takes.room, sizeof *k.takes.at);
	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		if (m->graph->threads[t].n)
			thread_takes(&k, t);
	takes_sort(&k);
	for (uint32_t class = 0; class < m->set->classes.n; class ++)
		class_groups(&k, class, &all);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_work);
	for (size_t i = 0; i < all.n; i++)
		if (is_free(&k, &all.at[i]))
			pool_add(&k, &all.at[i]);
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		timeline_sums_free(&k.sums[t]);
		timeline_sums_free(&k.clocked[t]);
	}
	free(all.at);
	free(k.phases.at);
	free(k.takes.at);
	free(k.order);
	free(k.first);
	free(k.sums);
	free(k.clocked);
	free(k.lives);
	free(k.members);
}
