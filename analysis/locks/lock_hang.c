#include "analysis/locks/lock_hang.h"
#include <stdlib.h>

/*
 * A wait counts in a cycle if it began so long (ns) before the logs were read: that is more than
 * times of a process are off.
 */
#define OLD_ENOUGH INT64_C(100000000)

/* Who has a lock, or is it. */
struct lock_holder {
	int64_t since;
	uint32_t thread, site;
	bool is_thread;
	bool several; /* other threads have it, too: readers, or one of the two has released it */
};

struct hanging {
	const struct walked_locks *threads;
	const struct lock_sources *sources;
	VECTOR(struct lock_holder) holders; /* of each lock the newest */
	struct hash_table by_lock;          /* in holders */
};

/* Whether the end of a wait or hold would be in the trace: no such event was lost or off since. */
static bool end_is_known(const struct hanging *h, uint32_t thread, const struct lock_open *o)
{
	const struct trace *t = h->sources->trace;
	const struct event_type *end = h->sources->at[o->source].role.end.event;

	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *g = &t->gaps[i];

		if (g->to > o->start && (!g->type || g->type == end) &&
		    (g->thread == EVERY_THREAD || g->thread == thread))
			return false;
	}
	return true;
}

/* Who has ended no longer has a lock that another thread has. */
static void holder_add(struct hanging *h, uint32_t lock, struct lock_holder holder)
{
	struct hash_slot *slot = hash_table_slot(&h->by_lock, hash_mix(lock), 0);
	bool ended = h->threads[holder.thread].ended && !holder.is_thread;
	struct lock_holder *before;

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)h->holders.n;
		*vector_add(&h->holders) = holder;
		return;
	}
	before = &h->holders.at[slot->head];
	if (ended)
		return;
	holder.several = before->several ||
			 (before->thread != holder.thread && !h->threads[before->thread].ended);
	if (holder.since >= before->since || h->threads[before->thread].ended)
		*before = holder;
	else
		before->several = holder.several;
}

static void holders_add(struct hanging *h, uint32_t thread)
{
	const struct walked_locks *w = &h->threads[thread];

	if (w->self != NO_LOCK)
		holder_add(h, w->self,
			   (struct lock_holder){INT64_MIN, thread, NO_SITE, true, false});
	for (size_t i = 0; i < w->open.n; i++) {
		const struct lock_open *o = &w->open.at[i];

		if (h->sources->at[o->source].hold && end_is_known(h, thread, o))
			holder_add(h, o->lock,
				   (struct lock_holder){o->start, thread, o->site, false, false});
	}
}

/* The wait that a thread is in: the innermost; NULL: it is in none. */
static const struct lock_open *wait_of(const struct hanging *h, uint32_t thread)
{
	const struct walked_locks *w = &h->threads[thread];

	if (w->ended)
		return NULL;
	for (size_t i = w->open.n; i-- > 0;)
		if (!h->sources->at[w->open.at[i].source].hold &&
		    end_is_known(h, thread, &w->open.at[i]))
			return &w->open.at[i];
	return NULL;
}

/*
 * Whether all threads' logs say what they did when a wait of this thread began. While a program
 * runs, its logs are read one after the other: what began meanwhile is not in those that were read
 * first. Waits of a cycle that all began before were there at one time: a thread that waits
 * neither acquires nor releases.
 */
static bool is_old_enough(const struct trace *t, uint32_t thread, int64_t start)
{
	enum process_state state = t->processes[t->threads[thread].directory].state;

	return (state != PROCESS_RUNS && state != PROCESS_DIED) ||
	       start + OLD_ENOUGH <= t->read_from - t->origin;
}

static void waiter_add(struct lock_hang *result, struct hanging *h, uint32_t thread,
		       const struct lock_open *wait)
{
	struct hash_slot *slot = hash_table_slot(&h->by_lock, hash_mix(wait->lock), 0);
	struct lock_waiter waiter = {.thread = thread,
				     .wait = *wait,
				     .holder = NO_WAITER,
				     .holder_site = NO_SITE,
				     .next = NO_WAITER};

	if (slot->head != HASH_NOTHING) {
		const struct lock_holder *holder = &h->holders.at[slot->head];

		waiter.holder = holder->thread;
		waiter.holder_site = holder->site;
		waiter.is_thread = holder->is_thread;
		waiter.holder_ended = h->threads[holder->thread].ended;
		waiter.evident =
		    !holder->several && is_old_enough(h->sources->trace, thread, wait->start);
	}
	*vector_add(&result->waiters) = waiter;
}

static uint32_t waiter_of(const struct lock_hang *h, uint32_t thread)
{
	size_t i = lower_bound(k, 0, h->waiters.n, h->waiters.at[k].thread < thread);

	return i < h->waiters.n && h->waiters.at[i].thread == thread ? (uint32_t)i : NO_WAITER;
}

/* Numbers the cycles. Each waiter has at most one next one: a way ends, or runs into a cycle. */
static void cycles_number(struct lock_hang *h)
{
	uint32_t *seen = array_zero(h->waiters.n, sizeof *seen);

	for (uint32_t start = 0; start < h->waiters.n; start++) {
		uint32_t at = start;

		while (at != NO_WAITER && !seen[at]) {
			seen[at] = start + 1;
			at = h->waiters.at[at].next;
		}
		if (at == NO_WAITER || seen[at] != start + 1 || h->waiters.at[at].cycle)
			continue;
		h->ncycles++;
		for (; !h->waiters.at[at].cycle; at = h->waiters.at[at].next)
			h->waiters.at[at].cycle = h->ncycles;
	}
	free(seen);
}

/* Puts the waiters of each cycle in its order, before all others. */
static void cycles_first(struct lock_hang *h)
{
	size_t n = h->waiters.n, put = 0;
	struct lock_waiter *list = array_new(n, sizeof *list);

	for (uint32_t cycle = 1; cycle <= h->ncycles; cycle++) {
		uint32_t first = 0, at;

		while (h->waiters.at[first].cycle != cycle)
			first++;
		at = first;
		do {
			list[put++] = h->waiters.at[at];
			at = h->waiters.at[at].next;
		} while (at != first);
	}
	for (size_t i = 0; i < n; i++)
		if (!h->waiters.at[i].cycle)
			list[put++] = h->waiters.at[i];
	free(h->waiters.at);
	h->waiters.at = list;
	h->waiters.room = n;
}

void lock_hang_find(struct lock_hang *result, const struct walked_locks *threads, uint32_t nthreads,
		    const struct lock_sources *s)
{
	struct hanging h = {.threads = threads, .sources = s};

	*result = (struct lock_hang){0};
	for (uint32_t t = 0; t < nthreads; t++)
		holders_add(&h, t);
	for (uint32_t t = 0; t < nthreads; t++) {
		const struct lock_open *wait = wait_of(&h, t);

		if (wait)
			waiter_add(result, &h, t, wait);
	}
	for (size_t i = 0; i < result->waiters.n; i++)
		if (result->waiters.at[i].evident)
			result->waiters.at[i].next =
			    waiter_of(result, result->waiters.at[i].holder);
	cycles_number(result);
	cycles_first(result);
	free(h.holders.at);
	hash_table_free(&h.by_lock);
}

void lock_hang_free(struct lock_hang *h)
{
	free(h->waiters.at);
}
