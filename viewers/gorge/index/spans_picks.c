/* Instances of a spans that take so long: how many stand before each block. */
#include "base/array.h"
#include "base/monotonic.h"
#include "viewers/gorge/index/spans.h"
#include <stdlib.h>

struct spans_selection {
	int64_t least, most;
	size_t counted;         /* blocks */
	uint64_t *before;       /* by block; and in all */
};

unsigned spans_select_step = 1024;

void spans_selection_free(struct spans_selection *p)
{
	if (p)
		free(p->before);
	free(p);
}

/* Bounds beyond 32 bits are beyond all lengths that have no more. */
struct bounds {
	uint32_t least, span;
};

static struct bounds bounds_of(int64_t least, int64_t most)
{
	uint32_t low = least < 0 ? 0 : (uint32_t)least, high = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;

	return (struct bounds){low, high - low};
}

/* A whole block, which the compiler does at once, and a part of one. */
static uint32_t count_block(const uint32_t *length, struct bounds b)
{
	uint32_t n = 0;

	for (size_t i = 0; i < SPANS_BLOCK; i++)
		n += length[i] - b.least <= b.span;
	return n;
}

enum { PART = 8 };

static uint32_t count_part(const uint32_t *length, size_t size, struct bounds b)
{
	uint32_t n = 0;
	size_t i = 0;

	for (; i + PART <= size; i += PART)
		for (size_t k = 0; k < PART; k++)
			n += length[i + k] - b.least <= b.span;
	for (; i < size; i++)
		n += length[i] - b.least <= b.span;
	return n;
}

static uint64_t count_short(const uint32_t *length, size_t size, struct bounds b)
{
	uint64_t n = 0;

	for (; size >= SPANS_BLOCK; size -= SPANS_BLOCK, length += SPANS_BLOCK)
		n += count_block(length, b);
	return n + count_part(length, size, b);
}

uint64_t spans_count_lasting(const struct spans *s, size_t i, size_t end, int64_t least, int64_t most)
{
	uint64_t n = 0;

	if (most < least || most < 0 || i >= end || (!s->length_high && least > UINT32_MAX))
		return 0;
	if (!s->length_high)
		return count_short(s->length + i, end - i, bounds_of(least, most));
	for (; i < end; i++)
		n += spans_length(s, i) >= least && spans_length(s, i) <= most;
	return n;
}

static uint64_t lasting_of_block(const struct spans *s, size_t block, int64_t least, int64_t most)
{
	const struct spans_block *b = &s->blocks[block];
	size_t i = block * SPANS_BLOCK, end = i + SPANS_BLOCK < s->n ? i + SPANS_BLOCK : s->n;

	if (b->longest < least || b->shortest > most)
		return 0;
	if (b->shortest >= least && b->longest <= most)
		return end - i;
	return spans_count_lasting(s, i, end, least, most);
}

static size_t blocks_of(const struct spans *s)
{
	return (s->n + SPANS_BLOCK - 1) / SPANS_BLOCK;
}

bool spans_selected(const struct spans *s, int64_t least, int64_t most)
{
	const struct spans_selection *p = s->picks;

	return s->n <= SPANS_BLOCK || (p && p->least == least && p->most == most && p->counted == blocks_of(s));
}

static struct spans_selection *picks_begin(struct spans *s, int64_t least, int64_t most)
{
	if (!s->picks) {
		s->picks = array_zero(1, sizeof *s->picks);
		s->picks->before = array_zero(blocks_of(s) + 1, sizeof *s->picks->before);
	}
	if (s->picks->least != least || s->picks->most != most || !s->picks->counted)
		*s->picks = (struct spans_selection){.least = least, .most = most, .before = s->picks->before};
	return s->picks;
}

bool spans_select(struct spans *s, int64_t least, int64_t most, int64_t until)
{
	struct spans_selection *p = picks_begin(s, least, most);
	size_t n = blocks_of(s);

	do
		for (unsigned i = 0; i < spans_select_step && p->counted < n; i++, p->counted++)
			p->before[p->counted + 1] = p->before[p->counted] + lasting_of_block(s, p->counted, least, most);
	while (p->counted < n && monotonic_now() < until);
	return p->counted == n;
}

/* ---- of instances that are picked ---- */

struct selection_walk sheaf_tally(const struct spans *s, size_t i, int64_t least, int64_t most)
{
	return (struct selection_walk){.spans = s, .least = least, .most = most, .at = i,
				    .counted = s->n > SPANS_BLOCK && spans_selected(s, least, most)};
}

static uint64_t before(const struct selection_walk *t, size_t i)
{
	size_t block = i / SPANS_BLOCK;

	return t->spans->picks->before[block] + spans_count_lasting(t->spans, block * SPANS_BLOCK, i, t->least, t->most);
}

/* Few are looked at one by one. What stands before the end of the last ones is known mostly. */
uint64_t selection_walk_to(struct selection_walk *t, size_t end)
{
	size_t i = t->at;
	uint64_t n;

	t->at = end;
	if (!t->counted || end - i <= SPANS_BLOCK) {
		t->known = false;
		return spans_count_lasting(t->spans, i, end, t->least, t->most);
	}
	n = t->known ? t->before : before(t, i);
	t->before = before(t, end);
	t->known = true;
	return t->before - n;
}

/* In [i, end), which lies in one block. */
static size_t first_in_block(const struct selection_walk *t, size_t i, size_t end)
{
	while (i < end && (spans_length(t->spans, i) < t->least || spans_length(t->spans, i) > t->most))
		i++;
	return i;
}

/* The block that has the first picked one of the blocks [low, high); high: none has. */
static size_t first_block(const struct selection_walk *t, size_t low, size_t high)
{
	const uint64_t *counts = t->spans->picks->before;
	uint64_t none = counts[low];

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (counts[middle + 1] == none)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t selection_walk_first(const struct selection_walk *t, size_t i, size_t end)
{
	size_t behind, found;

	for (; i < end; i = behind) {
		behind = (i / SPANS_BLOCK + 1) * SPANS_BLOCK;
		behind = behind < end ? behind : end;
		found = first_in_block(t, i, behind);
		if (found < behind)
			return found;
		if (t->counted && behind < end)
			behind = first_block(t, behind / SPANS_BLOCK, (end + SPANS_BLOCK - 1) / SPANS_BLOCK) * SPANS_BLOCK;
	}
	return end;
}
