#include "analysis/locks/lock_hang.h"
#include <stdlib.h>

/* Who has a lock, or is it. */
struct lock_holder {
	uint32_t thread, site;
	bool is_thread;
};

struct hanging {
	const struct walked_locks *threads;
	const struct lock_sources *sources;
	VECTOR(struct lock_holder) holders;
	struct hash_table by_lock; /* in holders: the newest */
};

static void holder_add(struct hanging *h, uint32_t lock, struct lock_holder holder)
{
	struct hash_slot *slot = hash_table_slot(&h->by_lock, hash_mix(lock), 0);

	if (slot->head != HASH_NOTHING && h->threads[holder.thread].ended && !holder.is_thread)
		return;
	slot->head = (uint32_t)h->holders.n;
	*vector_add(&h->holders) = holder;
}

static void holders_add(struct hanging *h, uint32_t thread)
{
	const struct walked_locks *w = &h->threads[thread];

	if (w->self != NO_LOCK)
		holder_add(h, w->self, (struct lock_holder){thread, NO_SITE, true});
	for (size_t i = 0; i < w->open.n; i++)
		if (h->sources->at[w->open.at[i].source].hold)
			holder_add(h, w->open.at[i].lock,
				   (struct lock_holder){thread, w->open.at[i].site, false});
}

/* The wait that a thread is in: the innermost; NULL: it is in none. */
static const struct lock_open *wait_of(const struct hanging *h, const struct walked_locks *w)
{
	if (w->ended)
		return NULL;
	for (size_t i = w->open.n; i-- > 0;)
		if (!h->sources->at[w->open.at[i].source].hold)
			return &w->open.at[i];
	return NULL;
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
		const struct lock_open *wait = wait_of(&h, &threads[t]);

		if (wait)
			waiter_add(result, &h, t, wait);
	}
	for (size_t i = 0; i < result->waiters.n; i++)
		if (result->waiters.at[i].holder != NO_WAITER)
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
