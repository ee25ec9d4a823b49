#include "match/comparisons/kd_batch.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdlib.h>

/* ---- changes ---- */

enum {
	TOO_FEW = 64, /* changes that are not worth sorting */
	AHEAD = 16,   /* a position is fetched so many changes before its own */
	RANGES = 1 << 12
};

void kd_changes_init(struct kd_changes *c, struct kd_tree *t,
		     void (*change)(struct kd_tree *t, uint32_t position))
{
	*c = (struct kd_changes){.tree = t, .change = change};
	c->positions = array_new(2 * KD_CHANGES, sizeof *c->positions);
	c->sorted = c->positions + KD_CHANGES;
}

void kd_changes_clear(struct kd_changes *c)
{
	free(c->positions < c->sorted ? c->positions : c->sorted);
}

/* Sorts the positions by ranges of the tree's rows. */
static void changes_sort(struct kd_changes *c)
{
	size_t begin[RANGES + 1] = {0};
	const uint32_t *row = c->tree->row;
	uint32_t *swap = c->positions;
	unsigned shift = 0;

	while (c->tree->n >> shift >= RANGES)
		shift++;
	for (size_t i = 0; i < c->n; i++)
		begin[(row[c->positions[i]] >> shift) + 1]++;
	for (size_t r = 0; r < RANGES; r++)
		begin[r + 1] += begin[r];
	for (size_t i = 0; i < c->n; i++)
		c->sorted[begin[row[c->positions[i]] >> shift]++] = c->positions[i];
	c->positions = c->sorted;
	c->sorted = swap;
}

void kd_changes_apply(struct kd_changes *c)
{
	if (c->n > TOO_FEW)
		changes_sort(c);
	for (size_t i = 0; i < c->n; i++) {
		if (i + AHEAD < c->n)
			kd_tree_prefetch(c->tree, c->positions[i + AHEAD]);
		c->change(c->tree, c->positions[i]);
	}
	c->n = 0;
}

void kd_changes_add(struct kd_changes *c, uint32_t position)
{
	c->positions[c->n++] = position;
	if (c->n == KD_CHANGES)
		kd_changes_apply(c);
}

/* ---- queries ---- */

enum { SIDE_BY_SIDE = 16 }; /* searches of a processor at a time */

size_t kd_batch_chunk = 1 << 10;

struct kd_worker {
	const struct queries *queries;
	unsigned number;
	uint64_t visited;
	struct kd_search searches[SIDE_BY_SIDE];
};

void kd_batch_init(struct kd_batch *b, const struct queries *q, const struct kd_tree *tree,
		   const int32_t *wanted)
{
	*b = (struct kd_batch){
	    .queries = q, .tree = tree, .wanted = wanted, .nworkers = parallel_workers()};
	b->workers = array_zero(b->nworkers, sizeof *b->workers);
	for (unsigned i = 0; i < b->nworkers; i++) {
		b->workers[i].queries = q;
		b->workers[i].number = i;
	}
}

void kd_batch_clear(struct kd_batch *b)
{
	free(b->workers);
	free(b->order);
	free(b->found);
}

/* Candidates that were taken may still be active. */
static bool candidate_passes(void *context, uint32_t query, uint32_t position)
{
	struct kd_worker *w = context;
	const struct queries *q = w->queries;

	return !queries_is_taken(q, position) &&
	       q->hooks->test(q->context, w->number, q->rows[query], queries_position(q, position));
}

static void search_begin(const struct kd_batch *b, struct kd_worker *w, struct kd_search *s,
			 size_t query)
{
	s->wanted = b->wanted + query * b->tree->ncolumns;
	s->from = (int32_t)b->queries->from[query];
	s->limit = (int32_t)b->queries->to[query];
	s->query = (uint32_t)query;
	s->test = candidate_passes;
	s->context = w;
}

/* Sorts the queries by the cells that they lie in. */
static void batch_sort(struct kd_batch *b)
{
	uint32_t begin[KD_CELLS + 1] = {0}, *cells = b->order + b->room;

	for (size_t k = 0; k < b->n; k++) {
		cells[k] = kd_cell(&b->tree->cuts, b->wanted + (b->first + k) * b->tree->ncolumns);
		begin[cells[k] + 1]++;
	}
	for (size_t c = 0; c < KD_CELLS; c++)
		begin[c + 1] += begin[c];
	for (size_t k = 0; k < b->n; k++)
		b->order[begin[cells[k]]++] = (uint32_t)k;
}

static void chunk_find(void *context, size_t number, unsigned worker)
{
	struct kd_batch *b = context;
	struct kd_worker *w = &b->workers[worker];
	size_t from = number * kd_batch_chunk,
	       to = from + kd_batch_chunk < b->n ? from + kd_batch_chunk : b->n;

	for (; from < to; from += SIDE_BY_SIDE) {
		size_t n = to - from < SIDE_BY_SIDE ? to - from : SIDE_BY_SIDE;

		for (size_t i = 0; i < n; i++)
			search_begin(b, w, &w->searches[i], b->first + b->order[from + i]);
		w->visited += kd_tree_find(b->tree, w->searches, n);
		for (size_t i = 0; i < n; i++)
			b->found[w->searches[i].query - b->first] = (uint32_t)w->searches[i].limit;
	}
}

uint64_t kd_batch_find(struct kd_batch *b, size_t first, size_t n)
{
	uint64_t visited = 0;

	b->first = first;
	b->n = n;
	if (n > b->room) {
		b->room = n;
		b->order = array_resize(b->order, 2 * n, sizeof *b->order);
		b->found = array_resize(b->found, n, sizeof *b->found);
	}
	if (n > kd_batch_chunk) {
		batch_sort(b);
		parallel_for((n + kd_batch_chunk - 1) / kd_batch_chunk, chunk_find, b);
	} else {
		for (size_t k = 0; k < n; k++)
			b->order[k] = (uint32_t)k;
		chunk_find(b, 0, 0);
	}
	for (unsigned i = 0; i < b->nworkers; i++) {
		visited += b->workers[i].visited;
		b->workers[i].visited = 0;
	}
	return visited;
}

uint32_t kd_batch_find_one(struct kd_batch *b, size_t query)
{
	struct kd_worker *w = &b->workers[0];

	search_begin(b, w, w->searches, query);
	kd_tree_find(b->tree, w->searches, 1);
	return (uint32_t)w->searches[0].limit;
}
