#include "match/comparisons/max_tree.h"
#include "base/search.h"
#include "base/spill.h"
#include <stdlib.h>
#include <string.h>

enum { SHIFT = 4, FAN = 1 << SHIFT };

unsigned max_tree_patience = 256;

/* ---- building ---- */

void max_tree_reset(struct max_tree *t, size_t n)
{
	t->n = n;
	t->words = spill_reserve(t->words, &t->room_words, n * t->ncolumns, sizeof *t->words);
}

void max_tree_clear(struct max_tree *t)
{
	spill_free(t->words);
	spill_free(t->nodes);
	spill_free(t->link);
}

void max_tree_drop_nodes(struct max_tree *t)
{
	spill_free(t->nodes);
	t->nodes = NULL;
	t->room_nodes = 0;
}

void max_tree_drop_words(struct max_tree *t)
{
	spill_free(t->words);
	t->words = NULL;
	t->room_words = 0;
}

/* Finds the columns that never fall along the stream, or never rise. */
static void find_monotone(struct max_tree *t)
{
	unsigned rising = (1u << t->ncolumns) - 1, falling = rising;

	for (size_t i = 1; i < t->n && (rising | falling); i++) {
		const uint64_t *word = t->words + i * t->ncolumns, *before = word - t->ncolumns;

		for (unsigned c = 0; c < t->ncolumns; c++) {
			rising &= ~((unsigned)(word[c] < before[c]) << c);
			falling &= ~((unsigned)(word[c] > before[c]) << c);
		}
	}
	rising &= ~(t->differs | t->differs << 1);
	falling &= ~(t->differs | t->differs << 1);
	t->rising = rising;
	t->falling = falling & ~rising;
}

/* Lists the columns that the tree is over: all others. */
static void choose_active(struct max_tree *t)
{
	t->nactive = 0;
	t->active_differs = 0;
	for (unsigned c = 0; c < t->ncolumns; c++) {
		if ((t->rising | t->falling) >> c & 1)
			continue;
		t->active_differs |= (t->differs >> c & 1) << t->nactive;
		t->active[t->nactive++] = (uint8_t)c;
	}
	if (t->nactive && t->take)
		t->active[t->nactive++] = (uint8_t)t->ncolumns;
}

/* Computes the maxima of the entries below entry i of a level above the lowest. */
static void maxima_below(const struct max_tree *t, unsigned level, size_t i, uint64_t *maxima)
{
	size_t begin = i << SHIFT, end = begin + FAN;

	end = end < t->count[level - 1] ? end : t->count[level - 1];
	memset(maxima, 0, t->nactive * sizeof *maxima);
	for (size_t k = begin; k < end; k++) {
		const uint64_t *entry = t->level[level - 1] + k * t->nactive;

		for (unsigned c = 0; c < t->nactive; c++)
			maxima[c] = entry[c] > maxima[c] ? entry[c] : maxima[c];
	}
}

/* Tells whether the words serve as the lowest level: all columns are in the tree, none is taken. */
static bool words_are_leaves(const struct max_tree *t)
{
	return !t->take && t->nactive == t->ncolumns;
}

/* Makes room for the levels; the uppermost has no more entries than a node. */
static void max_levels_make(struct max_tree *t)
{
	size_t total = 0, count = t->n, lowest = words_are_leaves(t) ? 1 : 0;

	for (t->nlevels = 0; t->nlevels == 0 || t->count[t->nlevels - 1] > FAN; t->nlevels++) {
		t->count[t->nlevels] = count;
		total += t->nlevels < lowest ? 0 : count;
		count = (count + FAN - 1) >> SHIFT;
	}
	t->nodes = spill_reserve(t->nodes, &t->room_nodes, total * t->nactive, sizeof *t->nodes);
	t->level[0] = lowest ? t->words : t->nodes;
	for (unsigned l = 1; l < t->nlevels; l++)
		t->level[l] =
		    l == lowest ? t->nodes : t->level[l - 1] + t->count[l - 1] * t->nactive;
}

static void build_nodes(struct max_tree *t)
{
	unsigned k = t->nactive;

	max_levels_make(t);
	for (size_t i = 0; i < t->n && !words_are_leaves(t); i++)
		for (unsigned c = 0; c < k; c++)
			t->nodes[i * k + c] = t->active[c] == t->ncolumns
						  ? 1
						  : t->words[i * t->ncolumns + t->active[c]];
	for (unsigned l = 1; l < t->nlevels; l++)
		for (size_t i = 0; i < t->count[l]; i++)
			maxima_below(t, l, i, t->level[l] + i * k);
}

void max_tree_build(struct max_tree *t)
{
	t->visited_before = t->visited;
	t->asked = 0;
	memset(t->bound, 0, sizeof t->bound);
	find_monotone(t);
	choose_active(t);
	if (t->nactive) {
		build_nodes(t);
	} else if (t->take) {
		t->link = spill_reserve(t->link, &t->room_link, t->n + 1, sizeof *t->link);
		for (size_t i = 0; i <= t->n; i++)
			t->link[i] = (uint32_t)i;
	}
}

void max_tree_take(struct max_tree *t, size_t i)
{
	uint64_t maxima[MAX_TREE_COLUMNS + 1];
	unsigned k = t->nactive;

	if (k == 0) {
		if (t->last)
			t->link[i + 1] = (uint32_t)i;
		else
			t->link[i] = (uint32_t)i + 1;
		return;
	}
	memset(t->nodes + i * k, 0, k * sizeof *t->nodes);
	for (unsigned l = 1; l < t->nlevels; l++) {
		i >>= SHIFT;
		maxima_below(t, l, i, maxima);
		if (memcmp(maxima, t->level[l] + i * k, k * sizeof *maxima) == 0)
			break;
		memcpy(t->level[l] + i * k, maxima, k * sizeof *maxima);
	}
}

bool max_tree_is_taken(const struct max_tree *t, size_t i)
{
	return t->nodes[(i + 1) * t->nactive - 1] == 0;
}

/* ---- searching ---- */

/* Follows links to the end, and makes them shorter for the next time. */
static uint32_t link_follow(uint32_t *link, size_t i)
{
	while (link[i] != i) {
		link[i] = link[link[i]];
		i = link[i];
	}
	return (uint32_t)i;
}

/* Tells whether the column's bound for the word lies after candidate i. */
static bool bound_is_after(const struct max_tree *t, unsigned column, size_t i, uint64_t word)
{
	return (t->words[i * t->ncolumns + column] < word) == (t->rising >> column & 1);
}

/*
 * Finds where the column's words begin to be at least the word, or, in a falling column, to be
 * below it. Queries come in the order of the stream, and their bounds often follow it: the search
 * starts at the bound of the query before and goes on in growing steps.
 */
static size_t find_bound(struct max_tree *t, unsigned column, uint64_t word)
{
	size_t low = 0, high = t->n, at = t->bound[column], step = 1;

	if (at < t->n && bound_is_after(t, column, at, word)) {
		low = at + 1;
		for (; low + step < t->n && bound_is_after(t, column, low + step, word); step *= 2)
			low += step + 1;
		high = low + step < high ? low + step : high;
	} else {
		high = at;
		for (; step <= high && !bound_is_after(t, column, high - step, word); step *= 2)
			high -= step;
		low = step <= high ? high - step + 1 : 0;
	}
	low = lower_bound(i, low, high, bound_is_after(t, column, i, word));
	return t->bound[column] = low;
}

void max_tree_narrow(struct max_tree *t, size_t *from, size_t *to, const uint64_t *query)
{
	for (unsigned c = 0; c < t->ncolumns; c++) {
		size_t at;

		if (t->rising >> c & 1) {
			at = find_bound(t, c, query[c]);
			*from = at > *from ? at : *from;
		} else if (t->falling >> c & 1) {
			at = find_bound(t, c, query[c]);
			*to = at < *to ? at : *to;
		}
	}
}

static bool entry_meets(const struct max_tree *t, const uint64_t *words, const uint64_t *query)
{
	if (t->active_differs == 0) {
		for (unsigned j = 0; j < t->nactive; j++)
			if (words[j] < query[j])
				return false;
		return true;
	}
	for (unsigned j = 0; j < t->nactive; j++) {
		if (t->active_differs >> j & 1) {
			if (words[j] == query[j] && words[j + 1] == query[j + 1])
				return false;
			j++;
		} else if (words[j] < query[j]) {
			return false;
		}
	}
	return true;
}

/* Finds the first or last candidate below the entries [begin, end) of a level. */
static size_t descend(struct max_tree *t, unsigned level, size_t begin, size_t end,
		      const uint64_t *query)
{
	for (size_t n = end - begin; n > 0; n--) {
		size_t i = t->last ? begin + n - 1 : end - n, below, found;

		t->visited++;
		if (!entry_meets(t, t->level[level] + i * t->nactive, query))
			continue;
		if (level == 0)
			return i;
		below = (i + 1) << SHIFT;
		below = below < t->count[level - 1] ? below : t->count[level - 1];
		found = descend(t, level - 1, i << SHIFT, below, query);
		if (found != MAX_TREE_NONE)
			return found;
	}
	return MAX_TREE_NONE;
}

/* Climbs level by level, each time to the end of a node, until an entry below which a candidate is
 * found. */
static size_t search_first(struct max_tree *t, size_t from, size_t to, const uint64_t *query)
{
	for (unsigned l = 0; l < t->nlevels; l++) {
		size_t limit = ((to - 1) >> (SHIFT * l)) + 1,
		       end = (from + FAN - 1) & ~(size_t)(FAN - 1), found;

		if (end > limit || l + 1 == t->nlevels)
			end = limit;
		found = from < end ? descend(t, l, from, end, query) : MAX_TREE_NONE;
		if (found != MAX_TREE_NONE)
			return found < to ? found : MAX_TREE_NONE;
		if (end == limit)
			break;
		from = end >> SHIFT;
	}
	return MAX_TREE_NONE;
}

/* The mirror of search_first(). */
static size_t search_last(struct max_tree *t, size_t from, size_t to, const uint64_t *query)
{
	for (unsigned l = 0; l < t->nlevels; l++) {
		size_t limit = from >> (SHIFT * l), begin = to & ~(size_t)(FAN - 1), found;

		if (begin < limit || l + 1 == t->nlevels)
			begin = limit;
		found = begin < to ? descend(t, l, begin, to, query) : MAX_TREE_NONE;
		if (found != MAX_TREE_NONE)
			return found >= from ? found : MAX_TREE_NONE;
		if (begin == limit)
			break;
		to = begin >> SHIFT;
	}
	return MAX_TREE_NONE;
}

size_t max_tree_find(struct max_tree *t, size_t from, size_t to, const uint64_t *query)
{
	uint64_t wanted[MAX_TREE_COLUMNS + 1];

	max_tree_narrow(t, &from, &to, query);
	if (from >= to)
		return MAX_TREE_NONE;
	if (t->nactive == 0 && !t->take)
		return t->last ? to - 1 : from;
	if (t->nactive == 0) {
		/* links to the last candidate stand one higher; 0, or n for the first, is the
		 * end */
		size_t i = link_follow(t->link, t->last ? to : from);

		if (t->last)
			return i > from ? i - 1 : MAX_TREE_NONE;
		return i < to ? i : MAX_TREE_NONE;
	}
	for (unsigned c = 0; c < t->nactive; c++)
		wanted[c] = t->active[c] == t->ncolumns ? 1 : query[t->active[c]];
	t->asked++;
	return t->last ? search_last(t, from, to, wanted) : search_first(t, from, to, wanted);
}

bool max_tree_is_poor(const struct max_tree *t)
{
	unsigned comparisons = t->nactive - (unsigned)__builtin_popcount(t->active_differs);

	return comparisons > 1u + t->take &&
	       t->visited - t->visited_before >
		   (uint64_t)max_tree_patience * (t->asked + max_tree_patience);
}
