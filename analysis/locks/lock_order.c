#include "analysis/locks/lock_order.h"
#include <stdlib.h>

uint64_t lock_order_tries = 2000000;

/* More threads than these are not told apart: a cycle of more steps has none to spare. */
enum { DEPENDENCY_THREADS = 16 };

/* What was held when a lock was taken, by whomever. */
struct dependency {
	struct lock_place taken;
	const struct lock_place *held;
	uint32_t nheld;
	uint64_t times;
	uint32_t threads[DEPENDENCY_THREADS];
	uint32_t nthreads;
	bool gone; /* it is in no cycle */
};

struct lock_order_search {
	struct lock_order *result;
	VECTOR(struct dependency) all;
	uint32_t nlocks;
	uint32_t *holding; /* indices in all: by lock that is held */
	size_t *first;     /* by lock, and one more */
	uint32_t *used;    /* by lock: so many steps of the path hold it */
	VECTOR(uint32_t) path;
	uint32_t start; /* the lock that is the path's first one, and its least */
	uint64_t tries;
};

/* ---- dependencies ---- */

static uint64_t place_mix(uint64_t mix, struct lock_place p)
{
	return hash_mix(mix ^ ((uint64_t)p.lock << 32 | p.site));
}

static void dependency_add(struct lock_order_search *o, struct hash_table *known,
			   const struct lock_nesting *n, const struct lock_place *held,
			   uint32_t thread)
{
	uint64_t mix = place_mix(0, n->taken);
	struct hash_slot *slot;
	struct dependency *d;

	for (uint32_t i = 0; i < n->nheld; i++)
		mix = place_mix(mix, held[i]);
	slot = hash_table_slot(known, mix, n->nheld);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)o->all.n;
		*vector_add(&o->all) =
		    (struct dependency){.taken = n->taken, .held = held, .nheld = n->nheld};
	}
	d = &o->all.at[slot->head];
	d->times += n->times;
	if (d->nthreads < DEPENDENCY_THREADS)
		d->threads[d->nthreads++] = thread;
}

static void dependencies_make(struct lock_order_search *o, const struct walked_locks *threads,
			      uint32_t nthreads)
{
	struct hash_table known = {0};

	for (uint32_t t = 0; t < nthreads; t++)
		for (size_t i = 0; i < threads[t].nestings.n; i++) {
			const struct lock_nesting *n = &threads[t].nestings.at[i];

			dependency_add(o, &known, n, threads[t].held.at + n->held, t);
		}
	hash_table_free(&known);
}

static bool any_held(const struct dependency *d, const bool *locks)
{
	for (uint32_t i = 0; i < d->nheld; i++)
		if (locks[d->held[i].lock])
			return true;
	return false;
}

/* Marks what is held, and what is taken, by dependencies that are left. */
static void ends_mark(const struct lock_order_search *o, bool *held, bool *taken)
{
	memset(held, 0, o->nlocks);
	memset(taken, 0, o->nlocks);
	for (size_t i = 0; i < o->all.n; i++) {
		const struct dependency *d = &o->all.at[i];

		if (d->gone)
			continue;
		taken[d->taken.lock] = true;
		for (uint32_t k = 0; k < d->nheld; k++)
			held[d->held[k].lock] = true;
	}
}

/*
 * Removes, again and again, what takes a lock that nobody holds, or holds none that anybody takes.
 */
static void dependencies_trim(struct lock_order_search *o)
{
	bool *held = array_zero(o->nlocks + 1, sizeof *held);
	bool *taken = array_zero(o->nlocks + 1, sizeof *taken), changed = true;

	while (changed) {
		changed = false;
		ends_mark(o, held, taken);
		for (size_t i = 0; i < o->all.n; i++) {
			struct dependency *d = &o->all.at[i];

			if (!d->gone && (!held[d->taken.lock] || !any_held(d, taken)))
				changed = d->gone = true;
		}
	}
	free(held);
	free(taken);
}

/* Lists the dependencies by what they hold. */
static void holding_make(struct lock_order_search *o)
{
	size_t *next = o->first = array_zero(o->nlocks + 2, sizeof *o->first);

	for (size_t i = 0; i < o->all.n; i++)
		for (uint32_t k = 0; !o->all.at[i].gone && k < o->all.at[i].nheld; k++)
			next[o->all.at[i].held[k].lock + 2]++;
	for (uint32_t l = 2; l < o->nlocks + 2; l++)
		next[l] += next[l - 1];
	o->holding = array_new(next[o->nlocks + 1] + 1, sizeof *o->holding);
	/*
	 * next[l + 1] goes from where those of l begin to where they end, and those of l + 1 begin
	 */
	for (size_t i = 0; i < o->all.n; i++)
		for (uint32_t k = 0; !o->all.at[i].gone && k < o->all.at[i].nheld; k++)
			o->holding[next[o->all.at[i].held[k].lock + 1]++] = (uint32_t)i;
}

/* ---- threads ---- */

/* Finds a thread for a step, if need be from another step that has another one for itself. */
static bool thread_assign(const struct lock_order_search *o, size_t step, uint32_t *of_step,
			  bool *tried)
{
	const struct dependency *d = &o->all.at[o->path.at[step]];

	for (uint32_t i = 0; i < d->nthreads; i++) {
		size_t other = 0;

		while (other < o->path.n && of_step[other] != d->threads[i])
			other++;
		if (other < o->path.n && tried[other])
			continue;
		if (other < o->path.n)
			tried[other] = true;
		if (other == o->path.n || thread_assign(o, other, of_step, tried)) {
			of_step[step] = d->threads[i];
			return true;
		}
	}
	return false;
}

/* Gives each step of the path a thread of its own. */
static bool threads_assign(const struct lock_order_search *o, uint32_t *of_step)
{
	bool *tried = array_new(o->path.n, sizeof *tried), all = true;

	for (size_t i = 0; i < o->path.n; i++)
		of_step[i] = UINT32_MAX;
	for (size_t i = 0; all && i < o->path.n; i++) {
		memset(tried, 0, o->path.n);
		tried[i] = true;
		all = thread_assign(o, i, of_step, tried);
	}
	free(tried);
	return all;
}

/* ---- cycles ---- */

static struct lock_place held_place(const struct dependency *d, uint32_t lock)
{
	uint32_t i = 0;

	while (d->held[i].lock != lock)
		i++;
	return d->held[i];
}

/* Returns whether a cycle of the same locks, in the same order, has been found. */
static bool is_known(const struct lock_order_search *o)
{
	for (size_t c = 0; c < o->result->cycles.n; c++) {
		const struct lock_cycle *cycle = &o->result->cycles.at[c];
		size_t i = 0;

		while (i < o->path.n && cycle->steps.n == o->path.n &&
		       cycle->steps.at[i].taken.lock == o->all.at[o->path.at[i]].taken.lock)
			i++;
		if (i == o->path.n)
			return true;
	}
	return false;
}

static void cycle_add(struct lock_order_search *o)
{
	uint32_t *threads, lock = o->start;
	struct lock_cycle *cycle;

	if (is_known(o))
		return;
	threads = array_new(o->path.n, sizeof *threads);
	if (threads_assign(o, threads)) {
		cycle = vector_add(&o->result->cycles);
		for (size_t i = 0; i < o->path.n; i++) {
			const struct dependency *d = &o->all.at[o->path.at[i]];

			*vector_add(&cycle->steps) =
			    (struct lock_step){held_place(d, lock), d->taken, threads[i], d->times};
			lock = d->taken.lock;
		}
	}
	free(threads);
}

/* Whether a dependency can be a further step: nothing that it holds is held by another one. */
static bool is_free(const struct lock_order_search *o, const struct dependency *d)
{
	for (uint32_t i = 0; i < d->nheld; i++)
		if (o->used[d->held[i].lock])
			return false;
	for (size_t i = 0; d->nthreads == 1 && i < o->path.n; i++) {
		const struct dependency *other = &o->all.at[o->path.at[i]];

		if (other->nthreads == 1 && other->threads[0] == d->threads[0])
			return false;
	}
	return true;
}

static void path_extend(struct lock_order_search *o, uint32_t lock, size_t most)
{
	for (size_t i = o->first[lock]; i < o->first[lock + 1]; i++) {
		const struct dependency *d = &o->all.at[o->holding[i]];

		if (o->tries == 0 || o->result->cycles.n == LOCK_CYCLES_MOST) {
			o->result->incomplete = true;
			return;
		}
		o->tries--;
		if (d->taken.lock < o->start || !is_free(o, d))
			continue;
		*vector_add(&o->path) = o->holding[i];
		for (uint32_t k = 0; k < d->nheld; k++)
			o->used[d->held[k].lock]++;
		if (d->taken.lock == o->start)
			cycle_add(o);
		else if (o->path.n < most)
			path_extend(o, d->taken.lock, most);
		for (uint32_t k = 0; k < d->nheld; k++)
			o->used[d->held[k].lock]--;
		o->path.n--;
	}
}

static int by_length(const void *a, const void *b)
{
	const struct lock_cycle *x = a, *y = b;

	if (x->steps.n != y->steps.n)
		return x->steps.n < y->steps.n ? -1 : 1;
	return (x->steps.at[0].held.lock > y->steps.at[0].held.lock) -
	       (x->steps.at[0].held.lock < y->steps.at[0].held.lock);
}

void lock_order_find(struct lock_order *result, const struct walked_locks *threads,
		     uint32_t nthreads, uint32_t nlocks)
{
	struct lock_order_search o = {
	    .result = result, .nlocks = nlocks, .tries = lock_order_tries};

	*result = (struct lock_order){0};
	dependencies_make(&o, threads, nthreads);
	dependencies_trim(&o);
	holding_make(&o);
	o.used = array_zero(nlocks + 1, sizeof *o.used);
	/* the shortest first: the longer they are, the more there may be */
	for (size_t most = 2; most <= nthreads && most <= o.all.n && !result->incomplete; most++)
		for (o.start = 0; o.start < nlocks; o.start++)
			path_extend(&o, o.start, most);
	if (result->cycles.n)
		qsort(result->cycles.at, result->cycles.n, sizeof *result->cycles.at, by_length);
	free(o.all.at);
	free(o.holding);
	free(o.first);
	free(o.used);
	free(o.path.at);
}

void lock_order_free(struct lock_order *o)
{
	for (size_t i = 0; i < o->cycles.n; i++)
		free(o->cycles.at[i].steps.at);
	free(o->cycles.at);
}
