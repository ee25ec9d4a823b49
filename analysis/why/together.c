#include "analysis/why/together.h"
#include "base/search.h"
#include <stdlib.h>

/* A cause, and the moment that it led to. A broadcast is logged as an event for each waiter. */
struct wake_up {
	uint32_t waker, woken; /* numbers of threads */
	int64_t time, end;
};

/* How many waits before a moment are looked at for the one that ends then. */
enum { LOOKED_AT = 16 };

typedef VECTOR(struct wake_up) wake_ups;

static void wake_up_take(void *context, const struct event *earlier, const struct event *later)
{
	*vector_add((wake_ups *)context) =
	    (struct wake_up){earlier->thread, later->thread, earlier->time, later->time};
}

static int wake_up_compare(const void *left, const void *right)
{
	const struct wake_up *a = left, *b = right;

	if (a->waker != b->waker)
		return a->waker < b->waker ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->woken > b->woken) - (a->woken < b->woken);
}

/* Marks the wait of the woken thread that ends at the moment. */
static void wake_up_mark(struct evidence *g, const struct wake_up *w)
{
	uint32_t thread = trace_thread_index(g->trace, w->woken);
	const span_vector *waits = instance_spans(g->set, SPANS_WAIT, thread);
	size_t next = lower_bound(i, (size_t)0, waits->n, waits->at[i].start <= w->end);

	for (size_t i = next; i-- > 0 && i + LOOKED_AT >= next;)
		if (waits->at[i].end == w->end)
			g->waits[thread][i].together = true;
}

/* Of one kind of cause: a signal and a release of a lock at the same time are not one event. */
static void wake_ups_mark(struct evidence *g, const wake_ups *all)
{
	for (size_t i = 0, end; i < all->n; i = end) {
		const struct wake_up *first = &all->at[i];

		for (end = i + 1; end < all->n && all->at[end].waker == first->waker &&
				  all->at[end].time == first->time;)
			end++;
		if (all->at[end - 1].woken == first->woken)
			continue;
		for (size_t k = i; k < end; k++)
			wake_up_mark(g, &all->at[k]);
	}
}

void together_set(struct evidence *g)
{
	const struct cause_list *causes = &g->set->causes;

	for (unsigned i = 0; i < causes->n; i++) {
		wake_ups all = {NULL};

		cause_list_each(causes, i, wake_up_take, &all);
		if (all.n)
			qsort(all.at, all.n, sizeof *all.at, wake_up_compare);
		wake_ups_mark(g, &all);
		free(all.at);
	}
}
