#include "analysis/replay/program/apart_waits.h"

/*
 * Servers come after the devices. There is one for each object, one for each interval in which
 * threads wait for a device, and one for each lock under which they wait for an unknown reason.
 */
static uint32_t object_server(const struct operation_making *k, uint32_t object)
{
	return k->result->ndevices + object;
}

static uint32_t role_server(const struct operation_making *k, uint32_t role)
{
	return object_server(k, (uint32_t)k->model->locks->locks.n) + role;
}

static uint32_t lock_server(const struct operation_making *k, uint32_t lock)
{
	return role_server(k, k->model->graph->nwaits) + lock;
}

uint32_t apart_wait_servers(const struct model *m)
{
	return 2 * (uint32_t)m->locks->locks.n + m->graph->nwaits;
}

/* Returns the exclusive hold of a removed lock that a thread has since before a time; NO_HOLD. */
static size_t removed_hold(const struct operation_making *k, int64_t time)
{
	const struct lock_plan *plan = k->rules->locks;

	for (size_t i = k->coming.held.n; plan && i-- > 0;) {
		size_t hold = k->coming.held.at[i];
		const struct model_hold *h = &k->model->holds.at[hold];

		if (plan->disciplines[plan->locks[hold]] == DISCIPLINE_NONE && !h->shared &&
		    hold_taken(h) <= time)
			return hold;
	}
	return NO_HOLD;
}

/* Counts a wait. Returns whether it overlaps others in this replay. */
static bool overlaps(struct operation_making *k, enum apart_kind kind, const struct stretch *s,
		     uint32_t object, int64_t time)
{
	struct apart_waits *a = &k->result->apart[kind];

	if (time > a->longest) {
		a->longest = time;
		a->role = s->role;
		a->object = object;
	}
	a->time += time;
	return k->rules->overlap == OVERLAP_ALL ||
	       (k->rules->overlap == OVERLAP_GUESSED && kind != APART_OBJECT);
}

uint32_t apart_wait_server(struct operation_making *k, uint32_t thread, const struct wait_reason *w)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	const struct stretch *s = &l->stretches[w->stretch];
	int64_t time = stretch_end(l, w->stretch) - s->from;
	size_t hold = removed_hold(k, s->from);
	uint32_t lock;

	if (w->kind == REASON_OUTSIDE)
		return hold != NO_HOLD && overlaps(k, APART_OBJECT, s, w->rule, time)
			   ? NO_NUMBER
			   : object_server(k, w->rule);
	if (w->kind != REASON_NONE || hold == NO_HOLD || s->cause_thread != NO_THREAD)
		return NO_NUMBER;
	if (s->role != NO_ROLE) {
		if (!k->facts->devices[s->role] || overlaps(k, APART_DEVICE, s, NO_LOCK, time))
			return NO_NUMBER;
		return role_server(k, s->role);
	}
	lock = k->model->holds.at[hold].lock;
	if (s->activity != ACTIVITY_BLOCKED || overlaps(k, APART_UNKNOWN, s, NO_LOCK, time))
		return NO_NUMBER;
	return lock_server(k, lock);
}
