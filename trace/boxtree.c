#include "trace/boxtree.h"
#include "trace/array.h"
#include "trace/keyed.h"
#include <stdlib.h>

enum { SHIFT = 4, LINE = 64, CURVE_BITS = 44, ASLEEP = BOX_NOTHING };

typedef int32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));

static int32_t *block_of(const struct boxtree *t, unsigned level, size_t block)
{
	return t->level[level] + (block << SHIFT) * (t->ncolumns + 1);
}

static int32_t *entry_of(const struct boxtree *t, unsigned level, size_t i)
{
	return block_of(t, level, i >> SHIFT) + i % BOXTREE_FAN;
}

static int32_t *place_in(const struct boxtree *t, int32_t *entry)
{
	return entry + t->ncolumns * BOXTREE_FAN;
}

/* ---- the order ---- */

/* The bits of bytes with noughts before each, so that they take up n bits. */
struct spreading {
	unsigned n;
	uint64_t byte[256];
};

static void spreading_init(struct spreading *s, unsigned n)
{
	s->n = n;
	for (unsigned number = 0; number < 256; number++) {
		s->byte[number] = 0;
		for (unsigned i = 0; i < 8 && i * n < 64; i++)
			s->byte[number] |= (uint64_t)(number >> i & 1) << i * n;
	}
}

static uint64_t spread(const struct spreading *s, uint64_t number)
{
	uint64_t sum = 0;

	for (unsigned i = 0; number; i += 8 * s->n, number >>= 8)
		sum |= s->byte[number & 255] << i;
	return sum;
}

/* Adds a column to the places on the curve, by the ranks of its words: each bit halves what there
 * is. */
static void curve_add(const struct boxtree *t, const int32_t *words, unsigned column, unsigned index,
		      unsigned ncurved, struct keyed *by_word, uint64_t *curve)
{
	unsigned bits = CURVE_BITS / ncurved < 32 ? CURVE_BITS / ncurved : 32;
	struct spreading spreading;

	spreading_init(&spreading, ncurved);
	for (size_t i = 0; i < t->n; i++)
		by_word[i] = (struct keyed){(uint32_t)words[i * t->ncolumns + column] ^ 1u << 31, i};
	keyed_sort(by_word, t->n);
	for (size_t rank = 0; rank < t->n; rank++)
		curve[by_word[rank].i] |= spread(&spreading, (rank << bits) / t->n) << index;
}

/* An inequality's second column is the mirror of the first. */
static bool is_mirror(const struct boxtree *t, unsigned column)
{
	return column > 0 && t->differs >> (column - 1) & 1;
}

static struct keyed *curve_order(const struct boxtree *t, const int32_t *words)
{
	struct keyed *list = array_new(t->n, sizeof *list);
	uint64_t *curve = array_zero(t->n, sizeof *curve);
	unsigned ncurved = t->ncolumns - (unsigned)__builtin_popcount(t->differs), index = 0;

	for (unsigned c = 0; c < t->ncolumns; c++)
		if (!is_mirror(t, c))
			curve_add(t, words, c, index++, ncurved, list, curve);
	for (size_t i = 0; i < t->n; i++)
		list[i] = (struct keyed){curve[i], i};
	free(curve);
	keyed_sort(list, t->n);
	return list;
}

/* ---- the tree ---- */

static void make_levels(struct boxtree *t)
{
	size_t all = 0, count = t->n, entries[BOXTREE_LEVELS];

	do {
		entries[t->nlevels] = (count + BOXTREE_FAN - 1) & ~(size_t)(BOXTREE_FAN - 1);
		all += entries[t->nlevels];
		t->count[t->nlevels++] = count;
		count = (count + BOXTREE_FAN - 1) >> SHIFT;
	} while (count > 1);
	all *= t->ncolumns + 1;
	t->memory = array_new(all * sizeof(int32_t) + LINE, 1);
	t->level[0] = (int32_t *)(((uintptr_t)t->memory + LINE - 1) & ~(uintptr_t)(LINE - 1));
	for (unsigned l = 1; l < t->nlevels; l++)
		t->level[l] = t->level[l - 1] + entries[l - 1] * (t->ncolumns + 1);
	for (unsigned l = 0; l < t->nlevels; l++)
		for (size_t i = t->count[l]; i < entries[l]; i++)
			for (unsigned c = 0; c <= t->ncolumns; c++)
				entry_of(t, l, i)[c * BOXTREE_FAN] =
				    c < t->ncolumns ? BOX_LEAST : ASLEEP;
}

static lanes all_of(int32_t word)
{
	return (lanes){word, word, word, word};
}

static int32_t greatest_of(const int32_t *words, const int32_t *places)
{
	lanes most = all_of(BOX_LEAST);
	int32_t result;

	for (unsigned i = 0; i < BOXTREE_FAN; i += 4) {
		lanes here = *(const lanes *)(words + i);
		lanes more = (here > most) & (*(const lanes *)(places + i) != all_of(ASLEEP));

		most = (here & more) | (most & ~more);
	}
	result = most[0];
	for (unsigned i = 1; i < 4; i++)
		result = most[i] > result ? most[i] : result;
	return result;
}

static int32_t least_of(const int32_t *places)
{
	lanes least = all_of(ASLEEP);
	int32_t result;

	for (unsigned i = 0; i < BOXTREE_FAN; i += 4) {
		lanes here = *(const lanes *)(places + i), less = here < least;

		least = (here & less) | (least & ~less);
	}
	result = least[0];
	for (unsigned i = 1; i < 4; i++)
		result = least[i] < result ? least[i] : result;
	return result;
}

/* A column of a block, or its places, in one number. */
static int32_t sum_of(const struct boxtree *t, const int32_t *block, unsigned column)
{
	const int32_t *places = block + t->ncolumns * BOXTREE_FAN;

	return column == t->ncolumns ? least_of(places)
				     : greatest_of(block + column * BOXTREE_FAN, places);
}

static void sum_level(const struct boxtree *t, unsigned level)
{
	for (size_t i = 0; i < t->count[level]; i++)
		for (unsigned c = 0; c <= t->ncolumns; c++)
			entry_of(t, level, i)[c * BOXTREE_FAN] =
			    sum_of(t, block_of(t, level - 1, i), c);
}

void boxtree_init(struct boxtree *t, const int32_t *words, size_t n, unsigned ncolumns,
		  uint32_t differs, bool awake)
{
	struct keyed *order;

	*t = (struct boxtree){.n = n, .ncolumns = ncolumns, .differs = differs};
	order = curve_order(t, words);
	make_levels(t);
	t->rows = array_new(n, sizeof *t->rows);
	for (size_t i = 0; i < n; i++) {
		int32_t *entry = entry_of(t, 0, i);
		size_t place = order[i].i;

		t->rows[place] = (uint32_t)i;
		for (unsigned c = 0; c < ncolumns; c++)
			entry[c * BOXTREE_FAN] = words[place * ncolumns + c];
		*place_in(t, entry) = awake ? (int32_t)place : ASLEEP;
	}
	free(order);
	for (unsigned l = 1; l < t->nlevels; l++)
		sum_level(t, l);
}

void boxtree_drop(struct boxtree *t)
{
	free(t->memory);
	free(t->rows);
}

/* Only what was the greatest, or the least, of its block makes a difference above. */
void boxtree_sleep(struct boxtree *t, uint32_t place)
{
	size_t i = t->rows[place];
	int32_t *entry = entry_of(t, 0, i), old[BOXTREE_COLUMNS + 1];
	unsigned changed = (2u << t->ncolumns) - 1;

	for (unsigned c = 0; c <= t->ncolumns; c++)
		old[c] = entry[c * BOXTREE_FAN];
	*place_in(t, entry) = ASLEEP;
	for (unsigned l = 1; l < t->nlevels && changed; l++) {
		i >>= SHIFT;
		entry = entry_of(t, l, i);
		for (unsigned left = changed; left; left &= left - 1) {
			unsigned c = (unsigned)__builtin_ctz(left);
			int32_t *sum = &entry[c * BOXTREE_FAN];

			if (*sum != old[c] ||
			    (*sum = sum_of(t, block_of(t, l - 1, i), c)) == old[c])
				changed &= ~(1u << c);
		}
	}
}

void boxtree_wake(struct boxtree *t, uint32_t place)
{
	size_t i = t->rows[place];
	const int32_t *words = entry_of(t, 0, i);
	bool changed = true;

	*place_in(t, entry_of(t, 0, i)) = (int32_t)place;
	for (unsigned l = 1; l < t->nlevels && changed; l++) {
		int32_t *entry = entry_of(t, l, i >>= SHIFT), *least = place_in(t, entry);

		changed = (int32_t)place < *least;
		*least = changed ? (int32_t)place : *least;
		for (unsigned c = 0; c < t->ncolumns * BOXTREE_FAN; c += BOXTREE_FAN)
			if (words[c] > entry[c]) {
				entry[c] = words[c];
				changed = true;
			}
	}
}

static void expect_block(const struct boxtree *t, unsigned level, size_t block)
{
	const int32_t *at = block_of(t, level, block);

	for (unsigned c = 0; c <= t->ncolumns; c++)
		__builtin_prefetch(at + c * BOXTREE_FAN);
}

void boxtree_expect(const struct boxtree *t, size_t place)
{
	if (place >= t->n)
		return;
	expect_block(t, 0, t->rows[place] >> SHIFT);
	if (t->nlevels > 1)
		expect_block(t, 1, t->rows[place] >> 2 * SHIFT);
}

/* ---- searches ---- */

/* Takes away those of sixteen that do not meet what is wanted of a column, or of two. */
static void meet_order(lanes *met, const int32_t *words, int32_t wanted)
{
	const lanes *w = (const lanes *)words, least = all_of(wanted);

	for (unsigned i = 0; i < 4; i++)
		met[i] &= w[i] >= least;
}

static void meet_other(lanes *met, const int32_t *words, const int32_t *wanted)
{
	const lanes *w = (const lanes *)words, a = all_of(wanted[0]), b = all_of(wanted[1]);

	for (unsigned i = 0; i < 4; i++)
		met[i] &= (w[i] != a) | (w[BOXTREE_FAN / 4 + i] != b);
}

/* Which of sixteen entries have a place below the limit, and the wanted words, as bits. */
static unsigned block_meets(const struct boxtree *t, const int32_t *block,
			    const struct boxtree_search *s)
{
	const lanes each = {1, 2, 4, 8}, limit = all_of(s->limit);
	const lanes *places = (const lanes *)(block + t->ncolumns * BOXTREE_FAN);
	lanes met[4];
	union {
		lanes lanes;
		uint64_t words[2];
	} all;
	uint64_t bits;

	for (unsigned i = 0; i < 4; i++)
		met[i] = places[i] < limit;
	for (unsigned c = 0; c < t->ncolumns; c++)
		if (t->differs >> c & 1) {
			meet_other(met, block + c * BOXTREE_FAN, s->wanted + c);
			c++;
		} else {
			meet_order(met, block + c * BOXTREE_FAN, s->wanted[c]);
		}
	all.lanes = (met[0] & each) | (met[1] & each << 4) | (met[2] & each << 8) |
		    (met[3] & each << 12);
	bits = all.words[0] | all.words[1];
	return (unsigned)(bits | bits >> 32);
}

static void open_block(const struct boxtree *t, struct boxtree_search *s, size_t block)
{
	expect_block(t, t->nlevels - 1 - s->depth, block);
	s->open[s->depth].block = (uint32_t)block;
	s->open[s->depth++].read = false;
}

/* Among the entries the one with the least place. */
static unsigned first_of(const int32_t *places, unsigned entries)
{
	unsigned first = (unsigned)__builtin_ctz(entries);

	for (entries &= entries - 1; entries; entries &= entries - 1) {
		unsigned i = (unsigned)__builtin_ctz(entries);

		first = places[i] < places[first] ? i : first;
	}
	return first;
}

static void try_rows(const int32_t *places, unsigned entries, struct boxtree_search *s)
{
	for (; entries; entries &= entries - 1) {
		int32_t place = places[__builtin_ctz(entries)];

		if (place >= s->from && place < s->limit &&
		    s->test(s->context, s->question, (uint32_t)place))
			s->limit = place;
	}
}

/* Reads a block, or goes on to the next one; false: there is none. */
static bool step(struct boxtree *t, struct boxtree_search *s)
{
	unsigned level = t->nlevels - s->depth, entry;
	const int32_t *block = block_of(t, level, s->open[s->depth - 1].block);
	const int32_t *places = block + t->ncolumns * BOXTREE_FAN;
	uint16_t *promising = &s->open[s->depth - 1].promising;

	if (!s->open[s->depth - 1].read) {
		t->visited++;
		s->open[s->depth - 1].read = true;
		*promising = (uint16_t)block_meets(t, block, s);
		if (level == 0) {
			try_rows(places, *promising, s);
			*promising = 0;
		}
	}
	if (*promising) {
		entry = first_of(places, *promising);
		*promising &= (uint16_t)~(1u << entry);
		if (places[entry] < s->limit) {
			open_block(t, s, (s->open[s->depth - 1].block << SHIFT) + entry);
			return true;
		}
	}
	return --s->depth > 0;
}

void boxtree_find(struct boxtree *t, struct boxtree_search *searches, size_t n)
{
	uint32_t active[n];
	size_t nactive = n;

	for (size_t i = 0; i < n; i++) {
		active[i] = (uint32_t)i;
		searches[i].depth = 0;
		open_block(t, &searches[i], 0);
	}
	while (nactive > 0) {
		size_t left = 0;

		for (size_t i = 0; i < nactive; i++)
			if (step(t, &searches[active[i]]))
				active[left++] = active[i];
		nactive = left;
	}
}
