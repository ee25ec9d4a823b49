#include "trace/index.h"
#include "trace/large.h"
#include <stdlib.h>
#include <string.h>

enum { SHIFT = 4, FAN = 1 << SHIFT };   /* entries of a level below one of the next */

unsigned index_patience = 256;

void index_reset(struct index *x, size_t n)
{
	x->n = n;
	x->words = large_room(x->words, &x->room_words, n * x->ncolumns, sizeof *x->words);
}

void index_drop(struct index *x)
{
	large_free(x->words);
	large_free(x->tree);
	large_free(x->link);
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

/* What an entry of a level above the lowest is: the maxima of the entries below it. */
static void sum_below(const struct index *x, unsigned level, size_t i, uint64_t *sum)
{
	size_t begin = i << SHIFT, end = begin + FAN;

	end = end < x->count[level - 1] ? end : x->count[level - 1];
	memset(sum, 0, x->nactive * sizeof *sum);
	for (size_t k = begin; k < end; k++)
		max_into(sum, x->level[level - 1] + k * x->nactive, x->nactive);
}

/* Whether the words themselves are the lowest level: they all stand in the tree, and stay. */
static bool words_stand(const struct index *x)
{
	return !x->take && x->nactive == x->ncolumns;
}

/* Room for n candidates and the levels above them, the uppermost of which has few entries. */
static void make_tree(struct index *x)
{
	size_t total = 0, count = x->n, lowest = words_stand(x) ? 1 : 0;

	for (x->nlevels = 0; x->nlevels == 0 || x->count[x->nlevels - 1] > FAN; x->nlevels++) {
		x->count[x->nlevels] = count;
		total += x->nlevels < lowest ? 0 : count;
		count = (count + FAN - 1) >> SHIFT;
	}
	x->tree = large_room(x->tree, &x->room_tree, total * x->nactive, sizeof *x->tree);
	x->level[0] = lowest ? x->words : x->tree;
	for (unsigned l = 1; l < x->nlevels; l++)
		x->level[l] =
		    l == lowest ? x->tree : x->level[l - 1] + x->count[l - 1] * x->nactive;
}

static void copy_words(struct index *x)
{
	unsigned k = x->nactive;

	for (size_t i = 0; i < x->n; i++)
		for (unsigned j = 0; j < k; j++)
			x->tree[i * k + j] = x->active[j] == x->ncolumns ?
						     1 : x->words[i * x->ncolumns + x->active[j]];
}

static void build_tree(struct index *x)
{
	make_tree(x);
	if (!words_stand(x))
		copy_words(x);
	for (unsigned l = 1; l < x->nlevels; l++)
		for (size_t i = 0; i < x->count[l]; i++)
			sum_below(x, l, i, x->level[l] + i * x->nactive);
}

/* Without a tree, taken candidates are skipped along links that get shorter with use. */
static void build_links(struct index *x)
{
	x->link = large_room(x->link, &x->room_link, x->n + 1, sizeof *x->link);
	for (size_t i = 0; i <= x->n; i++)
		x->link[i] = (uint32_t)i;
}

void index_build(struct index *x)
{
	x->visited_before = x->visited;
	x->visited_most = UINT64_MAX;
	x->asked = 0;
	memset(x->bound, 0, sizeof x->bound);
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

	for (unsigned l = 1; l < x->nlevels; l++) {
		i >>= SHIFT;
		sum_below(x, l, i, sum);
		if (memcmp(sum, x->level[l] + i * k, k * sizeof *sum) == 0)
			break;
		memcpy(x->level[l] + i * k, sum, k * sizeof *sum);
	}
}

void index_take(struct index *x, size_t i)
{
	if (x->nactive) {
		memset(x->tree + i * x->nactive, 0, x->nactive * sizeof *x->tree);
		update(x, i);
	} else {
		take_link(x, i);
	}
}

bool index_is_taken(const struct index *x, size_t i)
{
	return x->tree[(i + 1) * x->nactive - 1] == 0;
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

		if (x->visited++ >= x->visited_most)
			return INDEX_NONE;
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

size_t index_try(struct index *x, size_t from, size_t to, const uint64_t *query, unsigned most)
{
	uint64_t wanted[MOST_COLUMNS + 1];
	size_t found;

	tree_words(x, query, wanted);
	x->visited_most = x->visited + most;
	found = index_search(x, from, to, wanted);
	if (found == INDEX_NONE && x->visited > x->visited_most)
		found = INDEX_UNKNOWN;
	x->visited_most = UINT64_MAX;
	return found;
}

bool index_is_poor(const struct index *x)
{
	unsigned comparisons = x->nactive - (unsigned)__builtin_popcount(x->active_differs);

	return comparisons > 1u + x->take &&
	       x->visited - x->visited_before >
		   (uint64_t)index_patience * (x->asked + index_patience);
}
