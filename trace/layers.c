#include "trace/layers.h"
#include "trace/array.h"
#include "trace/keyed.h"
#include <stdlib.h>

enum { FEW = 64 };      /* so many candidates are not cut any more */

struct layer {
	bool whole;                     /* not cut: its tree has all candidates, by all columns */
	uint64_t middle;
	uint32_t *places;               /* ascending: those whose words are not below the middle */
	size_t n;
	struct index tree;              /* of these, by the other columns */
	struct layer *below, *above;    /* those whose words are below, above the middle */
};

struct layers {
	struct index *index;
	unsigned column;                /* that cuts are made by */
	unsigned others[MOST_COLUMNS];  /* the columns of the trees; then the column */
	unsigned nothers;
	uint32_t differs;               /* among the others */
	struct layer *root;
	uint64_t visited;
};

static uint64_t word_at(const struct layers *l, uint32_t place, unsigned column)
{
	return l->index->words[place * (size_t)l->index->ncolumns + column];
}

static void layer_fill(struct layers *l, struct layer *layer)
{
	unsigned columns = l->nothers + layer->whole;
	uint64_t words[MOST_COLUMNS + 1];

	layer->tree.last = l->index->last;
	index_blank(&layer->tree, layer->n, columns + 1, l->differs);
	for (size_t i = 0; i < layer->n; i++) {
		for (unsigned j = 0; j < columns; j++)
			words[j] = word_at(l, layer->places[i], l->others[j]);
		words[columns] = 1;
		index_put(&layer->tree, i, words);
	}
}

static uint64_t median(const struct layers *l, const uint32_t *places, size_t n)
{
	uint64_t *words = array_new(n, sizeof *words), middle;

	for (size_t i = 0; i < n; i++)
		words[i] = word_at(l, places[i], l->column);
	middle = keyed_median(words, n);
	free(words);
	return middle;
}

/* Takes over the places. */
static struct layer *layer_new(struct layers *l, uint32_t *places, size_t n)
{
	struct layer *layer;
	uint32_t *below, *above;
	size_t nbelow = 0, nabove = 0, kept = 0;

	if (n == 0) {
		free(places);
		return NULL;
	}
	layer = array_zero(1, sizeof *layer);
	layer->places = places;
	layer->n = n;
	layer->whole = n <= FEW;
	if (!layer->whole) {
		layer->middle = median(l, places, n);
		below = array_new(n, sizeof *below);
		above = array_new(n, sizeof *above);
		for (size_t i = 0; i < n; i++) {
			uint64_t word = word_at(l, places[i], l->column);

			if (word < layer->middle)
				below[nbelow++] = places[i];
			else if (word > layer->middle)
				above[nabove++] = places[i];
			if (word >= layer->middle)
				places[kept++] = places[i];
		}
		layer->n = kept;
		layer->below = layer_new(l, below, nbelow);
		layer->above = layer_new(l, above, nabove);
	}
	layer_fill(l, layer);
	return layer;
}

static void layer_free(struct layer *layer)
{
	if (!layer)
		return;
	layer_free(layer->below);
	layer_free(layer->above);
	index_drop(&layer->tree);
	free(layer->places);
	free(layer);
}

/* A column that is no half of an inequality. */
static bool choose_column(struct layers *l)
{
	const struct index *x = l->index;
	bool found = false;

	for (unsigned j = 0; j < x->nactive - 1u; j++) {
		bool pair = x->active_differs >> j & 1;

		if (!pair && !found) {
			l->column = x->active[j];
			found = true;
			continue;
		}
		l->differs |= (uint32_t)pair << l->nothers;
		l->others[l->nothers++] = x->active[j];
		if (pair)
			l->others[l->nothers++] = x->active[++j];
	}
	if (found)
		l->others[l->nothers] = l->column;
	return found && l->nothers;
}

struct layers *layers_new(struct index *x)
{
	struct layers *l = array_zero(1, sizeof *l);
	uint32_t *places;
	size_t n = 0;

	l->index = x;
	if (!choose_column(l)) {
		free(l);
		return NULL;
	}
	places = array_new(x->n, sizeof *places);
	for (size_t i = 0; i < x->n; i++)
		if (!index_is_taken(x, i))
			places[n++] = (uint32_t)i;
	l->root = layer_new(l, places, n);
	return l;
}

static size_t places_from(const struct layer *layer, size_t place)
{
	size_t low = 0, high = layer->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (layer->places[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t layer_find(struct layers *l, struct layer *layer, size_t from, size_t to,
			 const uint64_t *query)
{
	unsigned columns = l->nothers + layer->whole;
	uint64_t wanted[MOST_COLUMNS + 1];
	size_t i;

	for (unsigned j = 0; j < columns; j++)
		wanted[j] = query[l->others[j]];
	wanted[columns] = 1;
	layer->tree.visited = 0;
	i = index_search(&layer->tree, places_from(layer, from), places_from(layer, to), wanted);
	l->visited += layer->tree.visited;
	return i == INDEX_NONE ? INDEX_NONE : layer->places[i];
}

size_t layers_find(struct layers *l, size_t from, size_t to, const uint64_t *query)
{
	size_t best = INDEX_NONE;

	index_narrow(l->index, &from, &to, query);
	for (struct layer *layer = l->root; layer && from < to; ) {
		size_t found;

		if (!layer->whole && query[l->column] > layer->middle) {
			layer = layer->above;
			continue;
		}
		found = layer_find(l, layer, from, to, query);
		if (found != INDEX_NONE) {
			best = found;
			*(l->index->last ? &from : &to) = best + l->index->last;
		}
		layer = layer->below;
	}
	return best;
}

void layers_take(struct layers *l, size_t i)
{
	uint64_t word = word_at(l, (uint32_t)i, l->column);

	for (struct layer *layer = l->root; layer; ) {
		if (layer->whole || word >= layer->middle)
			index_take(&layer->tree, places_from(layer, i));
		if (word == layer->middle)
			break;
		layer = word < layer->middle ? layer->below : layer->above;
	}
}

uint64_t layers_visited(const struct layers *l)
{
	return l->visited;
}

void layers_free(struct layers *l)
{
	if (!l)
		return;
	layer_free(l->root);
	free(l);
}
