#include "trace/ranktree.h"
#include "trace/large.h"
#include <string.h>

enum { SHIFT = 4 };

typedef int32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));

static uint32_t *block_of(const struct ranktree *t, unsigned level, size_t block)
{
	return t->level[level] + (block << SHIFT) * (t->ncolumns + (level == 0));
}

static uint32_t *rank_at(const struct ranktree *t, unsigned level, size_t i, unsigned column)
{
	return block_of(t, level, i >> SHIFT) + column * RANKTREE_FAN + i % RANKTREE_FAN;
}

void ranktree_init(struct ranktree *t, size_t n, unsigned ncolumns)
{
	size_t all = 0, count = n;

	*t = (struct ranktree){.n = n, .ncolumns = ncolumns};
	do {
		size_t blocks = (count + RANKTREE_FAN - 1) >> SHIFT;

		all += blocks * (ncolumns + (t->nlevels == 0));
		t->count[t->nlevels++] = count;
		count = blocks;
	} while (count > 1);
	t->level[0] = large_new(all, RANKTREE_FAN * sizeof *t->level[0]);
	memset(t->level[0], 0, all * RANKTREE_FAN * sizeof *t->level[0]);
	for (unsigned l = 1; l < t->nlevels; l++)
		t->level[l] = block_of(t, l - 1, (t->count[l - 1] + RANKTREE_FAN - 1) >> SHIFT);
}

void ranktree_set(struct ranktree *t, size_t row, uint32_t number, const uint32_t *ranks)
{
	for (unsigned c = 0; c < t->ncolumns; c++)
		*rank_at(t, 0, row, c) = ranks[c];
	*rank_at(t, 0, row, t->ncolumns) = number;
}

static uint32_t greatest(const uint32_t *rank)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < RANKTREE_FAN; i++)
		most = rank[i] > most ? rank[i] : most;
	return most;
}

void ranktree_build(struct ranktree *t)
{
	for (unsigned l = 1; l < t->nlevels; l++)
		for (size_t i = 0; i < t->count[l]; i++)
			for (unsigned c = 0; c < t->ncolumns; c++)
				*rank_at(t, l, i, c) =
				    greatest(block_of(t, l - 1, i) + c * RANKTREE_FAN);
}

void ranktree_drop(struct ranktree *t)
{
	large_free(t->level[0]);
}

/* Which of sixteen ranks are at least the wanted one, as bits. Processors compare with signs, and
 * greater. */
static unsigned block_meets(const uint32_t *block, uint32_t wanted)
{
	const lanes each = {1, 2, 4, 8}, signs = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
	const lanes below = ((lanes){0} + (int32_t)(wanted - 1)) ^ signs;
	union {
		lanes lanes;
		uint64_t words[2];
	} met = {.lanes = {0}};
	uint64_t bits;

	for (int i = 0; i < RANKTREE_FAN; i += 4)
		met.lanes |= ((*(const lanes *)(block + i) ^ signs) > below) & each << i;
	bits = met.words[0] | met.words[1];
	return (unsigned)(bits | bits >> 32);
}

/* The first row below the entries [begin, end) of one block of a level; all rows are below `to`. */
static size_t descend(struct ranktree *t, unsigned level, size_t begin, size_t end, size_t to,
		      const uint32_t *wanted)
{
	const uint32_t *block = block_of(t, level, begin >> SHIFT);
	size_t first = begin & ~(size_t)(RANKTREE_FAN - 1);
	unsigned promising = (2u << (end - 1 - first)) - (1u << (begin - first));

	t->visited++;
	for (unsigned c = 0; c < t->ncolumns && promising; c++, block += RANKTREE_FAN)
		promising &= block_meets(block, wanted[c]);
	for (; promising; promising &= promising - 1) {
		size_t i = first + (unsigned)__builtin_ctz(promising), limit, found;

		if (level == 0)
			return i;
		limit = ((to - 1) >> SHIFT * (level - 1)) + 1;
		limit = limit < (i + 1) << SHIFT ? limit : (i + 1) << SHIFT;
		found = descend(t, level - 1, i << SHIFT, limit, to, wanted);
		if (found != RANKTREE_NONE)
			return found;
	}
	return RANKTREE_NONE;
}

/* The rest of the block; the next step is one level higher, behind it. */
size_t ranktree_step(struct ranktree *t, struct ranktree_search *s, const uint32_t *wanted)
{
	size_t limit = ((s->to - 1) >> SHIFT * s->level) + 1,
	       end = (s->from & ~(size_t)(RANKTREE_FAN - 1)) + RANKTREE_FAN, found;

	end = end < limit ? end : limit;
	found = descend(t, s->level, s->from, end, s->to, wanted);
	s->from = (end + RANKTREE_FAN - 1) >> SHIFT;
	s->level++;
	if (end == limit)
		*s = (struct ranktree_search){.from = s->to, .to = s->to};
	return found;
}

void ranktree_expect(const struct ranktree *t, const struct ranktree_search *s)
{
	const uint32_t *block = block_of(t, s->level, s->from >> SHIFT);

	for (unsigned c = 0; c < t->ncolumns; c++)
		__builtin_prefetch(block + c * RANKTREE_FAN);
	__builtin_prefetch(ranktree_rows(t, ranktree_left(s)) + t->ncolumns * RANKTREE_FAN);
}

void ranktree_clear(struct ranktree *t, size_t row)
{
	for (unsigned c = 0; c < t->ncolumns; c++) {
		size_t i = row;

		*rank_at(t, 0, i, c) = 0;
		for (unsigned l = 1; l < t->nlevels; l++) {
			uint32_t most = greatest(block_of(t, l - 1, i >> SHIFT) + c * RANKTREE_FAN);

			i >>= SHIFT;
			if (*rank_at(t, l, i, c) == most)
				break;
			*rank_at(t, l, i, c) = most;
		}
	}
}
