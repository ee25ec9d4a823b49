#include "match/comparisons/max_tree.h"
#include "base/spill.h"
#include <stdlib.h>
#include <string.h>

enum { SHIFT = INDEX_SHIFT, FAN = INDEX_FAN };

void index_reset(struct index *x, size_t n)
{
	x->n = n;
	x->words = spill_reserve(x->words, &x->room_words, n * x->ncolumns, sizeof *x->words);
}

void index_drop(struct index *x)
{
	spill_free(x->words);
	spill_free(x->tree);
	spill_free(x->link);
}

void index_forget_tree(struct index *x)
{
	spill_free(x->tree);
	x->tree = NULL;
	x->room_tree = 0;
}

void index_forget_words(struct index *x)
{
	spill_free(x->words);
	x->words = NULL;
	x->room_words = 0;
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
	x->tree = spill_reserve(x->tree, &x->room_tree, total * x->nactive, sizeof *x->tree);
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
	x->link = spill_reserve(x->link, &x->room_link, x->n + 1, sizeof *x->link);
	for (size_t i = 0; i <= x->n; i++)
		x->link[i] = (uint32_t)i;
}

void index_build(struct index *x)
{
	x->visited_before = x->visited;
	x->asked = 0;
	memset(x->bound, 0, sizeof x->bound);
	find_monotone(x);
	choose_active(x);
	if (x->nactive)
		build_tree(x);
	else if (x->take)
		build_links(x);
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
