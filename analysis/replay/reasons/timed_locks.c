#include "analysis/replay/reasons/timed_locks.h"
#include "base/search.h"

/* Returns the hold in which a thread had a lock at a time, and which has an end. NO_HOLD: none. */
static size_t hold_at(const struct model *m, uint32_t thread, uint32_t lock, int64_t time)
{
	size_t first = m->first_hold[thread];
	size_t i = lower_bound(k, first, m->first_hold[thread + 1], m->holds.at[k].start < time);

	for (size_t n = 0; i-- > first && n < MOST_HOLDS_OPEN; n++) {
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

void timed_locks_find(const struct model *m, timed_waits *waits)
{
	for (size_t i = 0; i < waits->n; i++) {
		struct timed_wait *w = &waits->at[i];
		const struct timeline *l = &m->graph->threads[w->thread];
		uint32_t lock;

		if (!w->timed_out || w->last != NO_STRETCH)
			continue;
		lock = model_wait_object(m, w->thread, l->stretches[w->stretch].from);
		if (lock != NO_LOCK)
			w->hold = holder_find(m, w->thread, lock, stretch_end(l, w->stretch));
	}
}
