/* Searches in the index. */
#include "match/comparisons/max_tree.h"

enum { SHIFT = INDEX_SHIFT, FAN = INDEX_FAN };

unsigned index_patience = 256;

static uint32_t follow(uint32_t *link, size_t i)
{
	while (link[i] != i) {
		link[i] = link[link[i]];
		i = link[i];
	}
	return (uint32_t)i;
}

/* Links of the first lead to i or later, n being none; those of the last, one higher, to i or
 * earlier, 0 being none. */
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

/* Whether the column's bound for the word is behind the candidate. */
static bool is_before(const struct index *x, unsigned column, size_t i, uint64_t word)
{
	return (x->words[i * x->ncolumns + column] < word) == (x->rising >> column & 1);
}

/*
 * Where the column's words begin to be at least (fall below, for a falling column) the word. Queries come in the
 * order of the stream, and their bounds often rise with them: the search starts from the one before and goes out in
 * growing steps, so that it takes a time that depends on how far it is.
 */
static size_t bound(struct index *x, unsigned column, uint64_t word)
{
	size_t low = 0, high = x->n, at = x->bound[column], step = 1;

	if (at < x->n && is_before(x, column, at, word)) {
		low = at + 1;
		for (; low + step < x->n && is_before(x, column, low + step, word); step *= 2)
			low += step + 1;
		high = low + step < high ? low + step : high;
	} else {
		high = at;
		for (; step <= high && !is_before(x, column, high - step, word); step *= 2)
			high -= step;
		low = step <= high ? high - step + 1 : 0;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(x, column, middle, word))
			low = middle + 1;
		else
			high = middle;
	}
	return x->bound[column] = low;
}

void index_narrow(struct index *x, size_t *from, size_t *to, const uint64_t *query)
{
	for (unsigned c = 0; c < x->ncolumns; c++) {
		size_t at;

		if (x->rising >> c & 1) {
			at = bound(x, c, query[c]);
			*from = at > *from ? at : *from;
		} else if (x->falling >> c & 1) {
			at = bound(x, c, query[c]);
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

/* The first (last) candidate below the entries [begin, end) of a level that meets the query. */
static size_t descend(struct index *x, unsigned level, size_t begin, size_t end,
		      const uint64_t *query)
{
	for (size_t n = end - begin; n > 0; n--) {
		size_t i = x->last ? begin + n - 1 : end - n, below, found;

		x->visited++;
		if (!met(x, x->level[level] + i * x->nactive, query))
			continue;
		if (level == 0)
			return i;
		below = (i + 1) << SHIFT;
		below = below < x->count[level - 1] ? below : x->count[level - 1];
		found = descend(x, level - 1, i << SHIFT, below, query);
		if (found != INDEX_NONE)
			return found;
	}
	return INDEX_NONE;
}

/* Goes up level by level, each time to the end of the block, until an entry promises something;
 * then down. */
static size_t search_first(struct index *x, size_t from, size_t to, const uint64_t *query)
{
	for (unsigned l = 0; l < x->nlevels; l++) {
		size_t limit = ((to - 1) >> (SHIFT * l)) + 1,
		       end = (from + FAN - 1) & ~(size_t)(FAN - 1), found;

		if (end > limit || l + 1 == x->nlevels)
			end = limit;
		found = from < end ? descend(x, l, from, end, query) : INDEX_NONE;
		if (found != INDEX_NONE)
			return found < to ? found : INDEX_NONE;
		if (end == limit)
			break;
		from = end >> SHIFT;
	}
	return INDEX_NONE;
}

static size_t search_last(struct index *x, size_t from, size_t to, const uint64_t *query)
{
	for (unsigned l = 0; l < x->nlevels; l++) {
		size_t limit = from >> (SHIFT * l), begin = to & ~(size_t)(FAN - 1), found;

		if (begin < limit || l + 1 == x->nlevels)
			begin = limit;
		found = begin < to ? descend(x, l, begin, to, query) : INDEX_NONE;
		if (found != INDEX_NONE)
			return found >= from ? found : INDEX_NONE;
		if (begin == limit)
			break;
		to = begin >> SHIFT;
	}
	return INDEX_NONE;
}

static size_t index_search(struct index *x, size_t from, size_t to, const uint64_t *query)
{
	if (from >= to)
		return INDEX_NONE;
	return x->last ? search_last(x, from, to, query) : search_first(x, from, to, query);
}

/* The query's words in the columns of the tree. */
static void tree_words(const struct index *x, const uint64_t *query, uint64_t *wanted)
{
	for (unsigned j = 0; j < x->nactive; j++)
		wanted[j] = x->active[j] == x->ncolumns ? 1 : query[x->active[j]];
}

size_t index_find(struct index *x, size_t from, size_t to, const uint64_t *query)
{
	uint64_t wanted[MOST_COLUMNS + 1];

	index_narrow(x, &from, &to, query);
	if (from >= to)
		return INDEX_NONE;
	if (!x->nactive)
		return x->take ? find_linked(x, from, to) : x->last ? to - 1 : from;
	tree_words(x, query, wanted);
	x->asked++;
	return index_search(x, from, to, wanted);
}

bool index_is_poor(const struct index *x)
{
	unsigned comparisons = x->nactive - (unsigned)__builtin_popcount(x->active_differs);

	return comparisons > 1u + x->take &&
	       x->visited - x->visited_before >
		   (uint64_t)index_patience * (x->asked + index_patience);
}
