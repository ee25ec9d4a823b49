#include "analysis/replay/reasons/timed_locks.h"
#include "base/search.h"

/* Of so many holds that a thread began before, one may still be under way. */
enum { MOST_OPEN = 64 };

/* Returns the hold in which a thread had a lock at a time, and which has an end. NO_HOLD: none. */
static size_t hold_at(const struct model *m, uint32_t thread, uint32_t lock, int64_t time)
{
	size_t first = m->first_hold[thread];
	size_t i = lower_bound(k, first, m->first_hold[thread + 1], m->holds.at[k].start < time);

	for (size_t n = 0; i-- > first && n < MOST_OPEN; n++) {
		const struct model_hold *h = &m->holds.at[i];

		if (h->lock == lock && hold_released(h) > time)
			return h->end != INT64_MAX && !h->shared ? i : NO_HOLD;
	}
	return NO_HOLD;
}

static size_t holder_find(const struct model *m, uint32_t thread, uint32_t lock, int64_t time)
{
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		size_t hold = t == thread ? NO_HOLD : hold_at(m, t, lock, time);

		if (hold != NO_HOLD)
			return hold;
	}
	return NO_HOLD;
}

timed_locks timed_locks_of(const struct model *m, const timed_waits *waits)
{
	timed_locks all = {0};

	for (size_t i = 0; i < waits->n; i++) {
		const struct timed_wait *w = &waits->at[i];
		const struct timeline *l = &m->graph->threads[w->thread];
		uint32_t lock = w->timed_out
				    ? model_wait_object(m, w->thread, l->stretches[w->stretch].from)
				    : NO_LOCK;
		size_t hold = lock == NO_LOCK || w->last != NO_STRETCH
				  ? NO_HOLD
				  : holder_find(m, w->thread, lock, stretch_end(l, w->stretch));

		if (hold != NO_HOLD)
			*vector_add(&all) =
			    (struct timed_lock){w->thread, w->stretch, hold, w->left};
	}
	return all;
}

const struct timed_lock *timed_lock_find(const timed_locks *all, uint32_t thread, size_t stretch)
{
	size_t i = lower_bound(k, (size_t)0, all->n,
			       all->at[k].thread < thread ||
				   (all->at[k].thread == thread && all->at[k].stretch < stretch));

	return i < all->n && all->at[i].thread == thread && all->at[i].stretch == stretch
		   ? &all->at[i]
		   : NULL;
}
