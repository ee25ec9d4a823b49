#include "analysis/replay/program/thread_items.h"

static void coming_offer(struct thread_item *first, int64_t time, enum item_order order,
			 size_t number)
{
	if (time < first->time || (time == first->time && order < first->order))
		*first = (struct thread_item){time, order, number};
}

static void held_add(struct operation_making *k, size_t hold)
{
	const struct model_hold *holds = k->model->holds.at;
	size_t i = k->coming.held.n;

	*vector_add(&k->coming.held) = hold;
	for (; i && hold_released(&holds[k->coming.held.at[i - 1]]) < hold_released(&holds[hold]);
	     i--)
		k->coming.held.at[i] = k->coming.held.at[i - 1];
	k->coming.held.at[i] = hold;
}

/* Waits for a lock, and for a processor in a loop in which the thread spun, come about. */
static bool comes_about(const struct operation_making *k, size_t wait)
{
	enum reason_kind kind = k->reasons->all.at[wait].kind;

	return kind == REASON_LOCK || kind == REASON_SPUN;
}

static const struct slot_plan *slots_of(const struct operation_making *k)
{
	return k->rules->locks ? k->rules->locks->slots : NULL;
}

void thread_items_open(struct operation_making *k, uint32_t thread)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	struct coming *c = &k->coming;

	c->wait = k->reasons->first[thread];
	/* a thread that is ready first has begun then */
	if (l->n && l->stretches[0].activity == ACTIVITY_READY &&
	    c->wait < k->reasons->first[thread + 1] && !k->reasons->all.at[c->wait].stretch)
		c->wait++;
	c->held.n = 0;
	c->hold = k->model->first_hold[thread];
	c->request = k->rules->devices ? k->rules->devices->first[thread] : 0;
	c->mark = k->rules->hand_out ? k->rules->hand_out->first_mark[thread] : 0;
	c->slot = slots_of(k) ? slots_of(k)->first[thread] : 0;
}

static void item_take(struct operation_making *k, uint32_t thread, const struct thread_item *item)
{
	const struct model *m = k->model;
	struct coming *c = &k->coming;

	switch (item->order) {
	case ITEM_RELEASE:
		c->held.n--;
		break;
	case ITEM_POST:
		c->post++;
		break;
	case ITEM_WAITED:
		c->wait++;
		break;
	case ITEM_NEED:
		c->need++;
		break;
	case ITEM_REQUEST:
		c->request++;
		break;
	case ITEM_MARK:
		c->mark++;
		break;
	case ITEM_TAKE:
		if (m->holds.at[c->hold].end <= m->graph->threads[thread].end)
			held_add(k, c->hold);
		c->hold++;
		break;
	case ITEM_GIVE:
	case ITEM_SLOT:
		c->slot++;
		break;
	case ITEM_NONE:
		break;
	}
}

bool thread_item_next(struct operation_making *k, uint32_t thread, struct thread_item *next)
{
	const struct model *m = k->model;
	const struct timeline *l = &m->graph->threads[thread];
	const struct slot_plan *slots = slots_of(k);
	struct coming *c = &k->coming;

	*next = (struct thread_item){.time = INT64_MAX, .order = ITEM_NONE};
	while (c->wait < k->reasons->first[thread + 1] && comes_about(k, c->wait))
		c->wait++;
	if (c->wait < k->reasons->first[thread + 1])
		coming_offer(next, stretch_end(l, k->reasons->all.at[c->wait].stretch), ITEM_WAITED,
			     c->wait);
	if (c->held.n)
		coming_offer(next, hold_released(&m->holds.at[c->held.at[c->held.n - 1]]),
			     ITEM_RELEASE, c->held.at[c->held.n - 1]);
	if (c->hold < m->first_hold[thread + 1])
		coming_offer(next, hold_arrived(m, &m->holds.at[c->hold]), ITEM_TAKE, c->hold);
	if (c->post < k->facts->posts.n && k->facts->posts.at[c->post].thread == thread)
		coming_offer(next, k->facts->posts.at[c->post].time, ITEM_POST, c->post);
	if (c->need < m->needs.n && m->needs.at[c->need].thread == thread)
		coming_offer(next, m->needs.at[c->need].time, ITEM_NEED, c->need);
	if (k->rules->devices && c->request < k->rules->devices->first[thread + 1])
		coming_offer(next, k->rules->devices->requests.at[c->request].time, ITEM_REQUEST,
			     c->request);
	if (k->rules->hand_out && c->mark < k->rules->hand_out->first_mark[thread + 1])
		coming_offer(next, k->rules->hand_out->marks.at[c->mark].time, ITEM_MARK, c->mark);
	if (slots && c->slot < slots->first[thread + 1]) {
		const struct slot_event *e = &slots->events.at[c->slot];

		coming_offer(next, e->time, e->takes ? ITEM_SLOT : ITEM_GIVE, c->slot);
	}
	item_take(k, thread, next);
	return next->order != ITEM_NONE;
}
