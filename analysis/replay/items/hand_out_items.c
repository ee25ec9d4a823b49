#include "analysis/replay/items/hand_out_finding.h"
#include "base/search.h"
#include <stdlib.h>
#include <string.h>

/* Of fewer items nothing can be said. */
enum { FEWEST_ITEMS = 4 };

/* An instance of an interval whose metric `item` says that it is one. */
struct item_span {
	uint32_t class, thread;
	int64_t start, end;
};

typedef VECTOR(struct item_span) items;

static bool has_items(const struct role *r)
{
	for (unsigned i = 0; r->kind == KIND_WORK && r->same_thread && i < r->interval->nmetrics;
	     i++)
		if (strcmp(r->interval->metrics[i].name, "item") == 0)
			return true;
	return false;
}

/* Adds the item that an event begins, if it also ends; *at: in its thread's spans, goes on. */
static void item_add(const struct model *m, const struct role *role, const struct event *e,
		     size_t *at, items *all)
{
	uint32_t thread = trace_thread_index(m->trace, e->thread);
	const span_vector *spans = instance_spans(m->set, SPANS_OTHER, thread);

	while (*at < spans->n &&
	       (spans->at[*at].start < e->time ||
		(spans->at[*at].start == e->time && span_role(m->set, &spans->at[*at]) != role)))
		++*at;
	if (*at == spans->n || spans->at[*at].start != e->time || spans->at[*at].end == INT64_MAX)
		return;
	*vector_add(all) =
	    (struct item_span){spans->at[*at].class, thread, e->time, spans->at[*at].end};
	++*at;
}

/* Returns the items of an interval in the order of time. */
static items items_of(const struct model *m, const struct role *role)
{
	const struct event_list *events = trace_events(m->trace, role->start.event);
	size_t *at = array_zero(m->trace->nthreads, sizeof *at);
	items all = {0};

	for (size_t i = 0; events && i < event_list_size(events); i++) {
		struct event e;

		event_list_look(events, i, &e);
		item_add(m, role, &e, &at[trace_thread_index(m->trace, e.thread)], &all);
	}
	free(at);
	return all;
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

/* ---- pools ---- */

struct crowd {
	struct hand_out_finding *finding;
	struct item_span *items;
	size_t n;
	size_t *last; /* by thread: its last item, and one more; 0: it has none */
	bool *members;
	uint32_t nthreads;
};

static void members_find(struct crowd *c)
{
	for (size_t i = 0; i < c->n; i++) {
		uint32_t t = c->items[i].thread;

		c->nthreads += !c->members[t];
		c->members[t] = true;
		if (!c->last[t] || c->items[i].start > c->items[c->last[t] - 1].start)
			c->last[t] = i + 1;
	}
}

static const char *doubt_of(const struct crowd *c)
{
	const struct model *m = c->finding->model;

	for (size_t i = 0; i < c->n; i++) {
		const struct item_span *item = &c->items[i];

		if (holds(m, item->thread, item->start))
			return "a thread holds a lock when an item begins";
		if (hand_out_has_met(m, item->thread, item->start,
				     c->items[c->last[item->thread] - 1].end))
			return "the threads wait for each other between items";
	}
	return NULL;
}

static void items_add(struct crowd *c)
{
	struct hand_out *h = c->finding->result;

	for (size_t i = 0; i < c->n; i++) {
		const struct item_span *item = &c->items[i];

		*vector_add(&h->items) = (struct handed_item){
		    .thread = item->thread, .taken = item->start, .pusher = NO_THREAD};
		hand_out_mark_add(c->finding, item->thread, item->start, h->items.n - 1);
		if (c->last[item->thread] == i + 1)
			hand_out_mark_add(c->finding, item->thread, item->end, NO_ITEM);
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct item_span *item = &c->items[i];

		if (c->members[item->thread])
			hand_out_turn_add(c->finding, item->thread, item->start,
					  c->items[c->last[item->thread] - 1].end);
		c->members[item->thread] = false;
	}
}

/* Returns what the items take on average, ns. */
static int64_t mean_of(const struct crowd *c)
{
	int64_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->items[i].end - c->items[i].start;
	return sum / (int64_t)c->n;
}

static void pool_add(struct crowd *c, const struct role *role)
{
	const struct model *m = c->finding->model;
	struct hand_out *h = c->finding->result;
	struct hand_out_pool pool = {.kind = POOL_INTERVAL,
				     .name = role->interval->name,
				     .site = hand_out_site(m, c->items[0].class),
				     .nitems = c->n,
				     .first = h->items.n};
	const char *doubt;

	members_find(c);
	if (c->n <= c->nthreads || c->nthreads < 2)
		return;
	pool.nthreads = c->nthreads;
	pool.group = hand_out_group(m, c->members);
	pool.mean = mean_of(c);
	doubt = doubt_of(c);
	pool.doubt = doubt ? text_format("%s", doubt) : NULL;
	*vector_add(&h->pools) = pool;
	if (!doubt)
		items_add(c);
	h->pools.at[h->pools.n - 1].end = h->items.n;
}

static void role_find(struct hand_out_finding *f, const struct role *role)
{
	uint32_t nthreads = f->model->trace->nthreads;
	items all = items_of(f->model, role);
	struct crowd c = {.finding = f, .items = all.at, .n = all.n};

	if (c.n >= FEWEST_ITEMS) {
		c.last = array_zero(nthreads, sizeof *c.last);
		c.members = array_zero(nthreads, sizeof *c.members);
		pool_add(&c, role);
		free(c.last);
		free(c.members);
	}
	free(all.at);
}

void hand_out_find_items(struct hand_out_finding *f)
{
	const struct instance_set *set = f->model->set;

	for (unsigned i = 0; i < set->nlogged; i++)
		if (has_items(&set->roles[i]))
			role_find(f, &set->roles[i]);
}
