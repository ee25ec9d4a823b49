#include "trace/halves.h"
#include "trace/array.h"
#include "trace/large.h"
#include <stdlib.h>
#include <string.h>

enum { FEW = 16 };      /* so short stretches are not halved any more */
enum { LINE = 16 };     /* ranks in a line of the processor's cache */

struct word {
	uint64_t bits;
	uint32_t before; /* bits in the words before it */
};

struct halves_layer {
	struct word *words;     /* a bit for each candidate: to the upper half */
	struct ranktree tree;   /* the upper halves, one behind the other; numbers are places */
	uint32_t *tops; /* of each upper half the greatest rank in its first column, at first */
};

/* A layer as it is made: the candidates, place and ranks of each, and where each stretch begins. */
struct making {
	uint32_t *cells, *next;
	uint32_t *begin, *next_begin;
	uint32_t nstretches;
};

/* Where a stretch is cut. The upper halves up to one that ends at `high` have high / 2 rows. */
static uint32_t middle_of(uint32_t low, uint32_t high)
{
	return high - (high / 2 - low / 2);
}

static size_t cell_size(const struct halves *h)
{
	return 1 + h->ncolumns;
}

static void layer_init(const struct halves *h, struct halves_layer *layer, uint32_t nstretches)
{
	layer->words = large_new(h->n / 64 + 1, sizeof *layer->words);
	memset(layer->words, 0, (h->n / 64 + 1) * sizeof *layer->words);
	layer->tops = array_zero(nstretches, sizeof *layer->tops);
	ranktree_init(&layer->tree, h->n / 2, h->ncolumns - 1);
}

/* Parts the candidates of one stretch; row: where the upper half begins in the tree. */
static void stretch_halve(const struct halves *h, struct halves_layer *layer, struct making *m,
			  uint32_t stretch)
{
	uint32_t low = m->begin[stretch], high = m->begin[stretch + 1];
	uint32_t middle = middle_of(low, high), row = low / 2;
	size_t size = cell_size(h);
	uint32_t *to[2] = {m->next + low * size, m->next + middle * size};

	m->next_begin[2 * stretch] = low;
	m->next_begin[2 * stretch + 1] = middle;
	for (uint32_t i = low; i < high; i++) {
		const uint32_t *cell = m->cells + i * size;
		bool upper = cell[1] > middle;

		memcpy(to[upper], cell, size * sizeof *cell);
		to[upper] += size;
		if (!upper)
			continue;
		layer->words[i / 64].bits |= (uint64_t)1 << i % 64;
		ranktree_set(&layer->tree, row++, cell[0], cell + 2);
		if (cell[2] > layer->tops[stretch])
			layer->tops[stretch] = cell[2];
	}
}

static void layer_make(const struct halves *h, struct halves_layer *layer, struct making *m)
{
	uint32_t *swap, before = 0;

	layer_init(h, layer, m->nstretches);
	for (uint32_t i = 0; i < m->nstretches; i++)
		stretch_halve(h, layer, m, i);
	for (size_t i = 0; i <= h->n / 64; i++) {
		layer->words[i].before = before;
		before += (uint32_t)__builtin_popcountll(layer->words[i].bits);
	}
	ranktree_build(&layer->tree);
	m->nstretches *= 2;
	m->next_begin[m->nstretches] = h->n;
	swap = m->cells;
	m->cells = m->next;
	m->next = swap;
	swap = m->begin;
	m->begin = m->next_begin;
	m->next_begin = swap;
}

static void making_begin(const struct halves *h, struct making *m, const uint32_t *ranks)
{
	size_t size = cell_size(h), most = ((size_t)1 << h->nlayers) + 1;

	m->cells = large_new(h->n, size * sizeof *m->cells);
	m->next = large_new(h->nlayers ? h->n : 0, size * sizeof *m->next);
	m->begin = array_new(most, sizeof *m->begin);
	m->next_begin = array_new(most, sizeof *m->next_begin);
	m->nstretches = 1;
	m->begin[0] = 0;
	m->begin[1] = h->n;
	for (uint32_t i = 0; i < h->n; i++) {
		m->cells[i * size] = i;
		memcpy(m->cells + i * size + 1, ranks + i * (size_t)h->ncolumns,
		       h->ncolumns * sizeof *ranks);
	}
}

void halves_init(struct halves *h, const uint32_t *ranks, size_t n, unsigned ncolumns,
		 const uint64_t *taken)
{
	struct making m;

	*h = (struct halves){.n = (uint32_t)n, .ncolumns = ncolumns, .taken = taken};
	while (n >> h->nlayers > FEW)
		h->nlayers++;
	h->layers = array_new(h->nlayers, sizeof *h->layers);
	making_begin(h, &m, ranks);
	for (unsigned l = 0; l < h->nlayers; l++)
		layer_make(h, &h->layers[l], &m);
	h->cells = m.cells;
	large_free(m.next);
	free(m.begin);
	free(m.next_begin);
}

void halves_drop(struct halves *h)
{
	for (unsigned l = 0; l < h->nlayers; l++) {
		large_free(h->layers[l].words);
		free(h->layers[l].tops);
		ranktree_drop(&h->layers[l].tree);
	}
	free(h->layers);
	large_free(h->cells);
}

static uint32_t bits_before(const struct halves_layer *layer, uint32_t at)
{
	const struct word *word = &layer->words[at / 64];

	return word->before +
	       (uint32_t)__builtin_popcountll(word->bits & (((uint64_t)1 << at % 64) - 1));
}

/* From one layer to the next. */
static void path_step(const struct halves *h, struct halves_path *path, unsigned l,
		      uint32_t *stretch)
{
	const struct halves_layer *layer = &h->layers[l];
	uint32_t middle = middle_of(path->low, path->high), row = bits_before(layer, path->at);
	uint32_t upper = row - path->low / 2;
	bool above = path->wanted[0] - 1 > middle;

	path->begin[l] = row;
	path->end[l] = above || layer->tops[*stretch] < path->wanted[1] ? row : path->high / 2;
	if (above) {
		path->low = middle;
		path->at = middle + upper;
	} else {
		path->at -= upper;
		path->high = middle;
	}
	*stretch = 2 * *stretch + above;
	if (path->end[l] > row) {
		struct ranktree_search search = ranktree_begin(row, path->end[l]);

		ranktree_expect(&layer->tree, &search);
	}
	if (l + 1 < h->nlayers)
		__builtin_prefetch(&layer[1].words[path->at / 64]);
	else
		for (size_t i = path->at * cell_size(h); i < path->high * cell_size(h); i += LINE)
			__builtin_prefetch(h->cells + i);
}

void halves_trace(const struct halves *h, struct halves_path *paths, size_t n)
{
	uint32_t stretch[n];

	for (size_t i = 0; i < n; i++) {
		paths[i].low = 0;
		paths[i].high = h->n;
		paths[i].at = paths[i].from;
		stretch[i] = 0;
	}
	for (unsigned l = 0; l < h->nlayers; l++)
		for (size_t i = 0; i < n; i++)
			path_step(h, &paths[i], l, &stretch[i]);
}

static bool is_taken(const struct halves *h, uint32_t place)
{
	return h->taken[place / 64] >> place % 64 & 1;
}

/* One step of a layer's search; lowers the limit. What has been taken leaves the tree when it is
 * met there. False when the layer has nothing better any more. */
static bool layer_step(const struct halves *h, struct halves_layer *layer,
		       struct ranktree_search *s, const uint32_t *wanted, uint32_t *limit)
{
	size_t row = ranktree_left(s), end = s->to;

	if (row == end || ranktree_number(&layer->tree, row) >= *limit)
		return false;
	row = ranktree_step(&layer->tree, s, wanted);
	if (row != RANKTREE_NONE) {
		uint32_t place = ranktree_number(&layer->tree, row);

		if (!is_taken(h, place)) {
			*limit = place < *limit ? place : *limit;
			return false;
		}
		ranktree_clear(&layer->tree, row);
		*s = ranktree_begin(row + 1, end);
	}
	if (ranktree_left(s) < end)
		ranktree_expect(&layer->tree, s);
	return true;
}

/* In all layers at once: each step in one of them while the others wait for memory. */
static uint32_t layers_find(struct halves *h, const struct halves_path *path, uint32_t limit)
{
	struct ranktree_search searches[HALVES_LAYERS];
	unsigned active[HALVES_LAYERS], nactive = 0;

	for (unsigned l = 0; l < h->nlayers; l++)
		if (path->begin[l] < path->end[l]) {
			searches[l] = ranktree_begin(path->begin[l], path->end[l]);
			active[nactive++] = l;
		}
	while (nactive > 0) {
		unsigned left = 0;

		for (unsigned i = 0; i < nactive; i++) {
			unsigned l = active[i];

			if (layer_step(h, &h->layers[l], &searches[l], path->wanted + 1, &limit))
				active[left++] = l;
		}
		nactive = left;
	}
	return limit;
}

static bool cell_meets(const uint32_t *cell, const uint32_t *wanted, unsigned ncolumns)
{
	for (unsigned i = 0; i < ncolumns; i++)
		if (cell[1 + i] < wanted[i])
			return false;
	return true;
}

static uint32_t cells_find(struct halves *h, const struct halves_path *path, uint32_t limit)
{
	for (uint32_t i = path->at; i < path->high; i++) {
		const uint32_t *cell = h->cells + i * cell_size(h);

		h->visited++;
		if (cell[0] >= limit)
			break;
		if (cell_meets(cell, path->wanted, h->ncolumns) && !is_taken(h, cell[0]))
			return cell[0];
	}
	return limit;
}

uint32_t halves_find(struct halves *h, const struct halves_path *path, uint32_t limit)
{
	return cells_find(h, path, layers_find(h, path, limit));
}

uint64_t halves_visited(const struct halves *h)
{
	uint64_t visited = h->visited;

	for (unsigned l = 0; l < h->nlayers; l++)
		visited += h->layers[l].tree.visited;
	return visited;
}
