#include "analysis/replay/reasons/timed_waits.h"
#include "analysis/replay/reasons/poll_sleep.h"
#include "base/search.h"
#include <stdlib.h>

static bool is_before(const struct timed_wait *w, uint32_t thread, size_t stretch)
{
	return w->thread < thread || (w->thread == thread && w->stretch < stretch);
}

const struct timed_wait *timed_wait_find(const timed_waits *all, uint32_t thread, size_t stretch)
{
	size_t i = lower_bound(k, (size_t)0, all->n, is_before(&all->at[k], thread, stretch));

	return i < all->n && all->at[i].thread == thread && all->at[i].stretch == stretch
		   ? &all->at[i]
		   : NULL;
}

/* Returns what ended a wait, but for locks: the last such cause; NULL: none is known. */
static const struct model_cause *cause_of(const struct model *m, uint32_t thread, size_t stretch)
{
	size_t end = m->first_cause[thread + 1];
	size_t i = lower_bound(k, m->first_cause[thread], end, m->causes.at[k].stretch < stretch);
	const struct model_cause *found = NULL;

	for (; i < end && m->causes.at[i].stretch == stretch; i++)
		if (!m->causes.at[i].meeting && m->causes.at[i].lock == NO_LOCK)
			found = &m->causes.at[i];
	return found;
}

/* Adds the wait that is under way when a limit is logged, if its end is known. */
static void wait_add(const struct model *m, const struct deadline *limit, timed_waits *all)
{
	const struct timeline *l = &m->graph->threads[limit->thread];
	size_t i = lower_bound(k, (size_t)0, l->n, l->stretches[k].from <= limit->from);
	struct timed_wait w = {
	    .thread = limit->thread, .last = NO_STRETCH, .of = NO_THREAD, .hold = NO_HOLD};
	const struct model_cause *cause;

	if (!i || poll_sleep_class(m, limit->thread, i - 1) == NO_NUMBER)
		return;
	w.stretch = i - 1;
	w.left = limit->until - l->stretches[i - 1].from;
	w.left = w.left > 0 ? w.left : 0;
	w.timed_out = l->stretches[i - 1].timed_out;
	cause = cause_of(m, w.thread, w.stretch);
	/* it was in time, whatever the stamps say */
	if (cause && !w.timed_out && w.left <= cause->time - l->stretches[i - 1].from)
		w.left = cause->time - l->stretches[i - 1].from + 1;
	if (!all->n || is_before(&all->at[all->n - 1], w.thread, w.stretch))
		*vector_add(all) = w;
}

static uint32_t class_of(const struct model *m, const struct timed_wait *w)
{
	return poll_sleep_class(m, w->thread, w->stretch);
}

/* Waits that timed out belong to the next one at the same call site, if that was ended in time. */
static void loops_find(const struct model *m, timed_waits *all)
{
	for (size_t i = all->n; i-- > 1;) {
		struct timed_wait *w = &all->at[i - 1];
		const struct timed_wait *next = &all->at[i];
		const struct model_cause *cause;

		if (!w->timed_out || next->thread != w->thread ||
		    class_of(m, w) != class_of(m, next))
			continue;
		if (next->timed_out) {
			w->last = next->last;
			w->of = next->of;
			w->time = next->time;
			continue;
		}
		cause = cause_of(m, next->thread, next->stretch);
		if (!cause)
			continue;
		w->last = next->stretch;
		w->of = cause->from;
		w->time = cause->time;
	}
}

/* What a program does at a call site when the time is up, it does each time. */
static void repeats_find(const struct model *m, timed_waits *all)
{
	bool *again = array_zero(m->set->classes.n, sizeof *again);

	for (size_t i = 0; i < all->n; i++)
		again[class_of(m, &all->at[i])] |= all->at[i].last != NO_STRETCH;
	for (size_t i = 0; i < all->n; i++)
		all->at[i].repeats = again[class_of(m, &all->at[i])];
	free(again);
}

timed_waits timed_waits_of(const struct model *m)
{
	timed_waits all = {0};

	for (size_t i = 0; i < m->limits.n; i++)
		wait_add(m, &m->limits.at[i], &all);
	loops_find(m, &all);
	repeats_find(m, &all);
	return all;
}

static bool is_claimed(const timed_waits *all, const struct poll_loop *l)
{
	size_t i = lower_bound(k, (size_t)0, all->n, is_before(&all->at[k], l->thread, l->first));

	for (; i < all->n && all->at[i].thread == l->thread && all->at[i].stretch <= l->last; i++)
		if (all->at[i].last != NO_STRETCH)
			return true;
	return false;
}

void timed_waits_claim(const timed_waits *all, poll_loops *loops)
{
	size_t kept = 0;

	for (size_t i = 0; i < loops->n; i++)
		if (!is_claimed(all, &loops->at[i]))
			loops->at[kept++] = loops->at[i];
	loops->n = kept;
}
