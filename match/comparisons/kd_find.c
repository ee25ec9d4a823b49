/* Searches in the tree of boxes. */
#include "match/comparisons/kd_block.h"

/* Which of four entries do not have both words. */
static lanes differ(const int32_t *words, const int32_t *wanted)
{
	return (*(const lanes *)words != all_of(wanted[0])) |
	       (*(const lanes *)(words + BOXTREE_FAN) != all_of(wanted[1]));
}

/* Which of four entries have a place below the limit, and the wanted words. */
static lanes entries_meet(const struct boxtree *t, const int32_t *words, const int32_t *places,
			  const struct boxtree_search *s)
{
	lanes met = *(const lanes *)places < all_of(s->limit);

	for (unsigned c = 0; c < t->ncolumns; c++, words += BOXTREE_FAN)
		if (t->differs >> c & 1) {
			met &= differ(words, s->wanted + c++);
			words += BOXTREE_FAN;
		} else {
			met &= *(const lanes *)words >= all_of(s->wanted[c]);
		}
	return met;
}

/* The same of the sixteen of a block, as bits. */
static unsigned block_meets(const struct boxtree *t, const int32_t *block,
			    const struct boxtree_search *s)
{
	const int32_t *places = places_of(t, block);
	union {
		lanes lanes;
		uint64_t words[2];
	} all = {.words = {0, 0}};
	lanes bit = {1, 2, 4, 8};
	uint64_t bits;

	for (unsigned i = 0; i < BOXTREE_FAN; i += 4, bit <<= 4)
		all.lanes |= entries_meet(t, block + i, places + i, s) & bit;
	bits = all.words[0] | all.words[1];
	return (unsigned)(bits | bits >> 32);
}

static void open_block(const struct boxtree *t, struct boxtree_search *s, size_t block)
{
	expect_block(t, t->nlevels - 1 - s->depth, block);
	s->open[s->depth++].block = (uint32_t)block;
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

/* Reads the block that was opened last, and opens the next one; false: there is none. */
static bool step(const struct boxtree *t, struct boxtree_search *s)
{
	unsigned level = t->nlevels - s->depth;
	const int32_t *block = block_of(t, level, s->open[s->depth - 1].block);
	unsigned promising = block_meets(t, block, s);

	s->open[s->depth - 1].promising = (uint16_t)promising;
	if (level == 0) {
		try_rows(places_of(t, block), promising, s);
		s->depth--;
	}
	for (; s->depth > 0; s->depth--) {
		unsigned entry;
		uint16_t *left = &s->open[s->depth - 1].promising;
		const int32_t *places;

		if (!*left)
			continue;
		places =
		    places_of(t, block_of(t, t->nlevels - s->depth, s->open[s->depth - 1].block));
		entry = first_of(places, *left);
		if (places[entry] < s->limit) {
			*left &= (uint16_t) ~(1u << entry);
			open_block(t, s, (s->open[s->depth - 1].block << SHIFT) + entry);
			return true;
		}
	}
	return false;
}

uint64_t boxtree_find(const struct boxtree *t, struct boxtree_search *searches, size_t n)
{
	uint32_t active[n];
	size_t nactive = n;
	uint64_t visited = 0;

	for (size_t i = 0; i < n; i++) {
		active[i] = (uint32_t)i;
		searches[i].depth = 0;
		open_block(t, &searches[i], 0);
	}
	while (nactive > 0) {
		size_t left = 0;

		visited += nactive;
		for (size_t i = 0; i < nactive; i++)
			if (step(t, &searches[active[i]]))
				active[left++] = active[i];
		nactive = left;
	}
	return visited;
}
