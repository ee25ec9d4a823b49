#include "analysis/replay/program/pieces.h"
#include "base/address_space.h"
#include <stdlib.h>

/* The operations of an item, as they were made. */
struct item_range {
	size_t first, end;
};

/*
 * Operations are moved out of blocks, in the order of their pools: each thread's from its first to
 * its last. A block whose operations have all been moved is given back at once.
 */
enum { MOVED_BLOCK = 1 << 13 };

struct moving {
	struct operations *from;
	VECTOR(struct operation) to;
	VECTOR(struct operation_times) times; /* of these, if they are known */
	const marked_operations *marked;
	struct item_range *ranges; /* by item */
	uint32_t *left;            /* by block of `from`: how many are still to be moved */
};

static void blocks_open(struct moving *m)
{
	size_t n = m->from->all.n, blocks = n / MOVED_BLOCK + 1;

	m->left = array_new(blocks, sizeof *m->left);
	for (size_t i = 0; i < blocks; i++)
		m->left[i] = MOVED_BLOCK;
	m->left[blocks - 1] = (uint32_t)(n % MOVED_BLOCK);
}

static void moved(struct moving *m, size_t i)
{
	size_t block = i / MOVED_BLOCK, first = block * MOVED_BLOCK, n = m->from->all.n - first;

	if (!--m->left[block])
		address_space_forget(&m->from->all.at[first],
				     (n < MOVED_BLOCK ? n : MOVED_BLOCK) * sizeof *m->from->all.at);
}

static void move(struct moving *m, size_t i)
{
	*vector_add(&m->to) = m->from->all.at[i];
	if (m->from->times.n)
		*vector_add(&m->times) = m->from->times.at[i];
	moved(m, i);
}

static void next_add(struct moving *m, uint32_t pool)
{
	*vector_add(&m->to) = (struct operation){
	    .kind = OPERATION_NEXT, .what = pool, .latency = NO_LATENCY, .core = NO_CORE};
	if (m->times.n) {
		int64_t done = m->times.at[m->times.n - 1].done;

		*vector_add(&m->times) = (struct operation_times){done, done};
	}
}

/*
 * Keeps what a thread does outside of items; *mark: in the marks, goes on to those of the next
 * thread.
 */
static void thread_keep(struct moving *m, uint32_t thread, size_t *mark)
{
	size_t end = m->from->first[thread + 1], item = NO_ITEM;
	uint32_t pool = NO_NUMBER;

	for (size_t i = m->from->first[thread]; i < end; i++) {
		const struct marked_operation *here = &m->marked->at[*mark];

		if (*mark == m->marked->n || here->operation != i) {
			if (item == NO_ITEM)
				move(m, i);
			continue;
		}
		if (item == NO_ITEM)
			move(m, i);
		else
			m->ranges[item].end = i + 1;
		if (here->mark->pool != pool)
			next_add(m, pool = here->mark->pool);
		item = here->mark->item;
		if (item != NO_ITEM)
			m->ranges[item].first = i + 1;
		++*mark;
	}
}

static void pool_add(struct moving *m, const struct hand_out *h, const struct hand_out_pool *pool)
{
	struct operations *o = m->from;
	size_t first = o->pieces.n;

	for (size_t i = pool->first; i < pool->end; i++) {
		const struct item_range *r = &m->ranges[i];

		*vector_add(&o->pieces) =
		    (struct piece){.first = m->to.n,
				   .thread = h->items.at[i].thread,
				   .first_iteration = h->items.at[i].first_iteration,
				   .iterations = h->items.at[i].iterations};
		for (size_t k = r->first; k < r->end; k++)
			move(m, k);
		m->to.at[m->to.n - 1].kind = OPERATION_BACK;
	}
	*vector_add(&o->pools) = (struct pool){
	    .first = first, .end = o->pieces.n, .name = pool->name, .kind = pool->kind};
}

void pieces_make(struct operations *o, const struct hand_out *h, const marked_operations *marked)
{
	struct moving m = {.from = o, .marked = marked};
	size_t mark = 0;

	m.ranges = array_zero(h->items.n, sizeof *m.ranges);
	blocks_open(&m);
	m.to.at = vector_reserve(NULL, o->all.n + marked->n, &m.to.room, sizeof *m.to.at);
	for (uint32_t t = 0; t < o->nthreads; t++) {
		size_t first = m.to.n;

		thread_keep(&m, t, &mark);
		o->first[t] = first;
	}
	o->first[o->nthreads] = m.to.n;
	o->pieces.at = vector_reserve(NULL, h->items.n, &o->pieces.room, sizeof *o->pieces.at);
	for (size_t i = 0; i < h->pools.n; i++)
		pool_add(&m, h, &h->pools.at[i]);
	free(m.ranges);
	free(m.left);
	free(o->all.at);
	o->all.at = m.to.at;
	o->all.n = m.to.n;
	o->all.room = m.to.room;
	if (o->times.n) {
		free(o->times.at);
		o->times.at = m.times.at;
		o->times.n = m.times.n;
		o->times.room = m.times.room;
	}
}
