#include "analysis/replay/recorded/outside.h"
#include <stdlib.h>

/* number: what the wait is for, an object or a device. */
struct outside_wait {
	int64_t from, to;
	uint32_t number, role, thread;
};

typedef VECTOR(struct outside_wait) outside_waits;

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

static int by_number(const void *a, const void *b)
{
	const struct outside_wait *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Returns the wait that a wait of kind "io" without an object is; NO_NUMBER: it is none. */
static uint32_t device_of(const struct model *m, uint32_t thread, size_t stretch)
{
	const struct stretch *s = &m->graph->threads[thread].stretches[stretch];

	return s->activity == ACTIVITY_WAITING && s->cause_thread == NO_THREAD &&
		       s->role != NO_ROLE && m->graph->waits[s->role].kind == KIND_IO &&
		       outside_object(m, thread, stretch) == NO_LOCK
		   ? s->role
		   : NO_NUMBER;
}

/* Returns all waits that are for something, by `number_of`. */
static outside_waits waits_of(const struct model *m,
			      uint32_t (*number_of)(const struct model *m, uint32_t thread,
						    size_t stretch))
{
	outside_waits waits = {0};

	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		const struct timeline *l = &m->graph->threads[t];

		for (size_t i = 0; i < l->n; i++) {
			uint32_t number = number_of(m, t, i);

			if (number != NO_NUMBER)
				*vector_add(&waits) =
				    (struct outside_wait){.from = l->stretches[i].from,
							  .to = stretch_end(l, i),
							  .number = number,
							  .role = l->stretches[i].role,
							  .thread = t};
		}
	}
	return waits;
}

/* Returns by number whether several threads waited for the same, and never two at once. */
static bool *apart_find(outside_waits waits, size_t n)
{
	bool *found = array_zero(n, sizeof *found);

	if (waits.n)
		qsort(waits.at, waits.n, sizeof *waits.at, by_number);
	for (size_t i = 0, next; i < waits.n; i = next) {
		const struct outside_wait *first = &waits.at[i];
		bool several = false, apart = true;

		for (next = i + 1; next < waits.n && waits.at[next].number == first->number;
		     next++) {
			several |= waits.at[next].thread != first->thread;
			apart &= waits.at[next].from >= waits.at[next - 1].to &&
				 waits.at[next].role == first->role;
		}
		found[first->number] = several && apart;
	}
	free(waits.at);
	return found;
}

bool *outside_find(const struct model *m)
{
	return apart_find(waits_of(m, outside_object), m->locks->locks.n);
}

bool *outside_devices(const struct model *m)
{
	return apart_find(waits_of(m, device_of), m->graph->nwaits);
}
