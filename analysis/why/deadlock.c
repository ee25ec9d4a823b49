#include "analysis/why/deadlock.h"
#include "analysis/locks/locks.h"

/* Whether the thread waits for an object when the trace ends. */
static bool waits_at_end(const struct evidence *g, uint32_t thread)
{
	const span_vector *waits = instance_spans(g->set, SPANS_WAIT, thread);

	for (size_t i = 0; i < waits->n; i++)
		if (waits->at[i].end > g->graph->threads[thread].end &&
		    place_class(g, waits->at[i].class)->object != NO_KEY)
			return true;
	return false;
}

/* A cycle has two threads at least. */
static bool may_be_deadlocked(const struct evidence *g)
{
	unsigned waiting = 0;

	for (uint32_t t = 0; t < g->trace->nthreads && waiting < 2; t++)
		waiting += waits_at_end(g, t);
	return waiting == 2;
}

static void wait_mark(struct evidence *g, const struct lock_waiter *w)
{
	const span_vector *waits = instance_spans(g->set, SPANS_WAIT, w->thread);

	for (size_t i = 0; i < waits->n; i++)
		if (waits->at[i].start == w->wait.start)
			g->waits[w->thread][i].deadlocked = true;
}

void deadlocks_set(struct evidence *g)
{
	struct lock_part all = LOCK_PART_ALL;

	if (!may_be_deadlocked(g) && !g->stuck.threads.n)
		return;
	g->locks = locks_of(g->trace, &all, false);
	for (size_t i = 0; i < g->locks->hang.waiters.n; i++)
		if (g->locks->hang.waiters.at[i].cycle)
			wait_mark(g, &g->locks->hang.waiters.at[i]);
	if (g->locks->hang.ncycles || g->stuck.threads.n)
		return;
	locks_free(g->locks);
	g->locks = NULL;
}
