#include "trace/index.h"
#include "trace/array.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16 };    /* candidates below one leaf of the tree */

unsigned index_patience = 256;

static void *grow(void *array, size_t *room, size_t n, size_t size)
{
	if (n <= *room)
		return array;
	free(array);
	*room = n + n / 2;
	return array_new(*room, size);
}

void index_reset(struct index *x, size_t n)
{
	x->n = n;
	x->words = grow(x->words, &x->room_words, n * x->ncolumns, sizeof *x->words);
}

void index_clear(struct index *x)
{
	free(x->words);
	free(x->leaves);
	free(x->nodes);
	free(x->link);
}

/* Bits of the columns that never fall (or never rise) along the stream. */
static void find_monotone(struct index *x)
{
	unsigned rising = (1u << x->ncolumns) - 1, falling = rising;

	for (size_t i = 1; i < x->n && (rising | falling); i++) {
		const uint64_t *word = x->words + i * x->ncolumns, *before = word - x->ncolumns;

		for (unsigned c = 0; c < x->ncolumns; c++) {
			rising &= ~((unsigned)(word[c] < before[c]) << c);
			falling &= ~((unsigned)(word[c] > before[c]) << c);
		}
	}
	rising &= ~(x->differs | x->differs << 1);
	falling &= ~(x->differs | x->differs << 1);
	x->rising = rising;
	x->falling = falling & ~rising;
}

static void choose_active(struct index *x)
{
	x->nactive = 0;
	x->active_differs = 0;
	for (unsigned c = 0; c < x->ncolumns; c++) {
		if ((x->rising | x->falling) >> c & 1)
			continue;
		x->active_differs |= (x->differs >> c & 1) << x->nactive;
		x->active[x->nactive++] = (uint8_t)c;
	}
	if (x->nactive && x->take)
		x->active[x->nactive++] = (uint8_t)x->ncolumns;
}

static void max_into(uint64_t *to, const uint64_t *from, unsigned n)
{
	for (unsigned j = 0; j < n; j++)
		to[j] = from[j] > to[j] ? from[j] : to[j];
}

/* A leaf's node: the maxima of its block. */
static void sum_block(const struct index *x, size_t block, uint64_t *node)
{
	size_t begin = block * BLOCK, end = begin + BLOCK < x->n ? begin + BLOCK : x->n;

	memset(node, 0, x->nactive * sizeof *node);
	for (size_t i = begin; i < end; i++)
		max_into(node, x->leaves + i * x->nactive, x->nactive);
}

static void sum_node(const struct index *x, size_t i, uint64_t *node)
{
	if (i >= x->nleaves) {
		sum_block(x, i - x->nleaves, node);
		return;
	}
	memcpy(node, x->nodes + 2 * i * x->nactive, x->nactive * sizeof *node);
	max_into(node, x->nodes + (2 * i + 1) * x->nactive, x->nactive);
}

/* Room for leaves and nodes. */
static void make_tree(struct index *x)
{
	unsigned k = x->nactive;

	x->leaves = grow(x->leaves, &x->room_leaves, x->n * k, sizeof *x->leaves);
	for (x->nleaves = 1; x->nleaves * BLOCK < x->n; )
		x->nleaves *= 2;
	x->nodes = grow(x->nodes, &x->room_nodes, 2 * x->nleaves * k, sizeof *x->nodes);
}

static void build_tree(struct index *x)
{
	unsigned k = x->nactive;

	make_tree(x);
	for (size_t i = 0; i < x->n; i++)
		for (unsigned j = 0; j < k; j++)
			x->leaves[i * k + j] = x->active[j] == x->ncolumns ?
						       1 : x->words[i * x->ncolumns + x->active[j]];
	for (x->nleaves = 1; x->nleaves * BLOCK < x->n; )
		x->nleaves *= 2;
	x->nodes = grow(x->nodes, &x->room_nodes, 2 * x->nleaves * k, sizeof *x->nodes);
	for (size_t i = 2 * x->nleaves - 1; i > 0; i--)
		sum_node(x, i, x->nodes + i * k);
}

/* Without a tree, taken candidates are skipped along links that get shorter with use. */
static void build_links(struct index *x)
{
	x->link = grow(x->link, &x->room_link, x->n + 1, sizeof *x->link);
	for (size_t i = 0; i <= x->n; i++)
		x->link[i] = (uint32_t)i;
}

void index_build(struct index *x)
{
	x->visited_before = x->visited;
	x->asked = 0;
	find_monotone(x);
	choose_active(x);
	if (x->nactive)
		build_tree(x);
	else if (x->take)
		build_links(x);
}

static uint32_t follow(uint32_t *link, size_t i)
{
	while (link[i] != i) {
		link[i] = link[link[i]];
		i = link[i];
	}
	return (uint32_t)i;
}

/* Links of the first lead to i or later, n being none; those of the last, one higher, to i or earlier, 0 being none. */
static size_t find_linked(const struct index *x, size_t from, size_t to)
{
	size_t i;

	if (x->last) {
		i = follow(x->link, to);
		return i > from ? i - 1 : INDEX_NONE;
	}
	i = follow(x->link, from);
	return i < to ? i : INDEX_NONE;
}

static void take_link(struct index *x, size_t i)
{
	if (x->last)
		x->link[i + 1] = (uint32_t)i;
	else
		x->link[i] = (uint32_t)i + 1;
}

/* After a change of candidate i. */
static void update(struct index *x, size_t i)
{
	uint64_t sum[MOST_COLUMNS + 1];
	unsigned k = x->nactive;

	for (size_t node = x->nleaves + i / BLOCK; node; node /= 2) {
		sum_node(x, node, sum);
		if (memcmp(sum, x->nodes + node * k, k * sizeof *sum) == 0)
			break;
		memcpy(x->nodes + node * k, sum, k * sizeof *sum);
	}
}

void index_take(struct index *x, size_t i)
{
	if (x->nactive) {
		memset(x->leaves + i * x->nactive, 0, x->nactive * sizeof *x->leaves);
		update(x, i);
	} else {
		take_link(x, i);
	}
}

bool index_is_taken(const struct index *x, size_t i)
{
	return x->leaves[(i + 1) * x->nactive - 1] == 0;
}

void index_blank(struct index *x, size_t n, unsigned nactive, uint32_t active_differs)
{
	x->n = n;
	x->nactive = nactive;
	x->active_differs = active_differs;
	make_tree(x);
	memset(x->leaves, 0, n * nactive * sizeof *x->leaves);
	memset(x->nodes, 0, 2 * x->nleaves * nactive * sizeof *x->nodes);
}

/* Maxima only grow. */
void index_put(struct index *x, size_t i, const uint64_t *words)
{
	memcpy(x->leaves + i * x->nactive, words, x->nactive * sizeof *words);
	for (size_t node = x->nleaves + i / BLOCK; node; node /= 2)
		max_into(x->nodes + node * x->nactive, words, x->nactive);
}

/* Where the column's words begin to be at least (fall below, for a falling column) the word. */
static size_t bound(const struct index *x, unsigned column, bool rising, uint64_t word)
{
	size_t low = 0, high = x->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((x->words[middle * x->ncolumns + column] < word) == rising)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void index_narrow(const struct index *x, size_t *from, size_t *to, const uint64_t *query)
{
	for (unsigned c = 0; c < x->ncolumns; c++) {
		size_t at;

		if (x->rising >> c & 1) {
			at = bound(x, c, true, query[c]);
			*from = at > *from ? at : *from;
		} else if (x->falling >> c & 1) {
			at = bound(x, c, false, query[c]);
			*to = at < *to ? at : *to;
		}
	}
}

static bool met(const struct index *x, const uint64_t *words, const uint64_t *query)
{
	if (x->active_differs == 0) {
		for (unsigned j = 0; j < x->nactive; j++)
			if (words[j] < query[j])
				return false;
		return true;
	}
	for (unsigned j = 0; j < x->nactive; j++) {
		if (x->active_differs >> j & 1) {
			if (words[j] == query[j] && words[j + 1] == query[j + 1])
				return false;
			j++;
		} else if (words[j] < query[j]) {
			return false;
		}
	}
	return true;
}

/* The candidates of one block, within [from, to). */
static size_t find_in_block(struct index *x, size_t block, size_t from, size_t to, const uint64_t *query)
{
	size_t begin = block * BLOCK > from ? block * BLOCK : from;
	size_t end = (block + 1) * BLOCK < to ? (block + 1) * BLOCK : to;

	x->visited += BLOCK;
	for (size_t n = begin < end ? end - begin : 0; n > 0; n--) {
		size_t i = x->last ? begin + n - 1 : end - n;

		if (met(x, x->leaves + i * x->nactive, query))
			return i;
	}
	return INDEX_NONE;
}

/* The next node of the tree, in the direction of the search, whose block is not below the node; 0: no more. */
static size_t next_node(const struct index *x, size_t node)
{
	size_t far = x->last ? 0 : 1;   /* which child the search comes to last */

	while (node > 1 && (node & 1) == far)
		node /= 2;
	return node > 1 ? node ^ 1 : 0;
}

/* The block of the node that the search comes to first. */
static size_t first_block(const struct index *x, size_t node)
{
	while (node < x->nleaves)
		node = 2 * node + x->last;
	return node - x->nleaves;
}

size_t index_search(struct index *x, size_t from, size_t to, const uint64_t *query)
{
	size_t stop, node;

	if (from >= to)
		return INDEX_NONE;
	stop = x->last ? from / BLOCK : (to - 1) / BLOCK;
	node = x->nleaves + (x->last ? (to - 1) / BLOCK : from / BLOCK);
	while (node) {
		size_t i;

		x->visited++;
		if (!met(x, x->nodes + node * x->nactive, query)) {
			node = next_node(x, node);
		} else if (node < x->nleaves) {
			node = 2 * node + x->last;
			continue;
		} else {
			i = find_in_block(x, node - x->nleaves, from, to, query);
			if (i != INDEX_NONE)
				return i;
			node = next_node(x, node);
		}
		if (node && (x->last ? first_block(x, node) < stop : first_block(x, node) > stop))
			break;
	}
	return INDEX_NONE;
}

size_t index_find(struct index *x, size_t from, size_t to, const uint64_t *query)
{
	uint64_t wanted[MOST_COLUMNS + 1];

	index_narrow(x, &from, &to, query);
	if (from >= to)
		return INDEX_NONE;
	if (!x->nactive)
		return x->take ? find_linked(x, from, to) : x->last ? to - 1 : from;
	for (unsigned j = 0; j < x->nactive; j++)
		wanted[j] = x->active[j] == x->ncolumns ? 1 : query[x->active[j]];
	x->asked++;
	return index_search(x, from, to, wanted);
}

bool index_is_poor(const struct index *x)
{
	unsigned comparisons = x->nactive - (unsigned)__builtin_popcount(x->active_differs);

	return comparisons > 1u + x->take &&
	       x->visited - x->visited_before > (uint64_t)index_patience * (x->asked + index_patience);
}
