/* Instances of a sheaf that take so long: how many stand before each block. */
#include "viewers/gorge/sheaf.h"
#include "viewers/vector.h"
#include <stdlib.h>

struct sheaf_picks {
	int64_t least, most;
	uint64_t *before;       /* by block; and in all */
};

void sheaf_picks_free(struct sheaf_picks *p)
{
	if (p)
		free(p->before);
	free(p);
}

static bool is_picked(const struct sheaf *s, size_t i)
{
	int64_t length = sheaf_length(s, i);

	return length >= s->picks->least && length <= s->picks->most;
}

uint64_t sheaf_lasting(const struct sheaf *s, size_t i, size_t end, int64_t least, int64_t most)
{
	uint64_t n = 0;

	for (; i < end; i++)
		n += sheaf_length(s, i) >= least && sheaf_length(s, i) <= most;
	return n;
}

static uint64_t count_each(const struct sheaf *s, size_t i, size_t end)
{
	return sheaf_lasting(s, i, end, s->picks->least, s->picks->most);
}

/* A whole block of lengths of 32 bits, which the compiler does at once. */
static uint64_t count_short(const uint32_t *length, uint32_t least, uint32_t span)
{
	uint32_t n = 0;

	for (size_t i = 0; i < SHEAF_BLOCK; i++)
		n += length[i] - least <= span;
	return n;
}

static uint64_t count_block(const struct sheaf *s, size_t i, size_t end)
{
	const struct sheaf_block *b = &s->blocks[i / SHEAF_BLOCK];
	int64_t least = s->picks->least, most = s->picks->most;

	if (most < least || b->longest < least || b->shortest > most)
		return 0;
	if (b->shortest >= least && b->longest <= most)
		return end - i;
	if (s->length_high || end - i < SHEAF_BLOCK)
		return count_each(s, i, end);
	/* limits beyond 32 bits are beyond all of them */
	least = least < 0 ? 0 : least;
	most = most > UINT32_MAX ? UINT32_MAX : most;
	return count_short(s->length + i, (uint32_t)least, (uint32_t)(most - least));
}

void sheaf_pick(struct sheaf *s, int64_t least, int64_t most)
{
	size_t block = 0;

	if (s->picks && s->picks->least == least && s->picks->most == most)
		return;
	if (!s->picks) {
		s->picks = zeroed(1, sizeof *s->picks);
		s->picks->before = zeroed(s->n / SHEAF_BLOCK + 2, sizeof *s->picks->before);
	}
	s->picks->least = least;
	s->picks->most = most;
	for (size_t i = 0, end; i < s->n; i = end) {
		end = i + SHEAF_BLOCK < s->n ? i + SHEAF_BLOCK : s->n;
		s->picks->before[block + 1] = s->picks->before[block] + count_block(s, i, end);
		block++;
	}
}

uint64_t sheaf_picked(const struct sheaf *s, size_t i, size_t end)
{
	size_t first = i / SHEAF_BLOCK, last = end / SHEAF_BLOCK;

	if (first == last)
		return count_each(s, i, end);
	return s->picks->before[last] - s->picks->before[first] -
	       count_each(s, first * SHEAF_BLOCK, i) + count_each(s, last * SHEAF_BLOCK, end);
}

/* In [i, end), which lies in one block. */
static size_t first_in_block(const struct sheaf *s, size_t i, size_t end)
{
	while (i < end && !is_picked(s, i))
		i++;
	return i;
}

/* The block that has the first picked one of the blocks [low, high); high: none has. */
static size_t first_block(const struct sheaf *s, size_t low, size_t high)
{
	uint64_t before = s->picks->before[low];

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->picks->before[middle + 1] == before)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t sheaf_first_picked(const struct sheaf *s, size_t i, size_t end)
{
	size_t block = i / SHEAF_BLOCK, behind = (block + 1) * SHEAF_BLOCK, found;

	if (i >= end)
		return end;
	if (behind >= end)
		return first_in_block(s, i, end);
	found = first_in_block(s, i, behind);
	if (found < behind)
		return found;
	block = first_block(s, block + 1, (end + SHEAF_BLOCK - 1) / SHEAF_BLOCK);
	if (block * SHEAF_BLOCK >= end)
		return end;
	behind = (block + 1) * SHEAF_BLOCK;
	return first_in_block(s, block * SHEAF_BLOCK, behind < end ? behind : end);
}
