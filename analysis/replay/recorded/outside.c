#include "analysis/replay/recorded/outside.h"
#include <stdlib.h>

struct outside_wait {
	int64_t from, to;
	uint32_t object, role, thread;
};

uint32_t outside_object(const struct model *m, uint32_t thread, size_t stretch)
{
	const struct timeline *l = &m->graph->threads[thread];
	const struct stretch *s = &l->stretches[stretch];
	const struct interval *wait;
	uint32_t object;

	if (s->activity != ACTIVITY_WAITING || s->cause_thread != NO_THREAD || s->timed_out ||
	    s->role == NO_ROLE)
		return NO_LOCK;
	wait = m->graph->waits[s->role].interval;
	if (!wait->until || wait->idle)
		return NO_LOCK;
	object = model_wait_object(m, thread, s->from);
	return object != NO_LOCK && m->locks->locks.at[object].address ? object : NO_LOCK;
}

static int by_object(const void *a, const void *b)
{
	const struct outside_wait *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

bool *outside_find(const struct model *m)
{
	bool *found = array_zero(m->locks->locks.n, sizeof *found);
	VECTOR(struct outside_wait) waits = {0};

	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		const struct timeline *l = &m->graph->threads[t];

		for (size_t i = 0; i < l->n; i++) {
			uint32_t object = outside_object(m, t, i);

			if (object != NO_LOCK)
				*vector_add(&waits) =
				    (struct outside_wait){.from = l->stretches[i].from,
							  .to = stretch_end(l, i),
							  .object = object,
							  .role = l->stretches[i].role,
							  .thread = t};
		}
	}
	if (waits.n)
		qsort(waits.at, waits.n, sizeof *waits.at, by_object);
	for (size_t i = 0, next; i < waits.n; i = next) {
		const struct outside_wait *first = &waits.at[i];
		bool several = false, apart = true;

		for (next = i + 1; next < waits.n && waits.at[next].object == first->object;
		     next++) {
			several |= waits.at[next].thread != first->thread;
			apart &= waits.at[next].from >= waits.at[next - 1].to &&
				 waits.at[next].role == first->role;
		}
		found[first->object] = several && apart;
	}
	free(waits.at);
	return found;
}
