#include "viewers/gorge/index/spans.h"
#include "base/spill.h"
#include "base/array.h"
#include <stdlib.h>

static struct sheaf sheaf_new(unsigned from, unsigned to, size_t n)
{
	return (struct sheaf){
	    .from = from,
	    .to = to,
	    .room = n,
	    .start = array_zero(n, sizeof(uint32_t)),
	    .end = array_zero(n, sizeof(uint32_t)),
	    .length = array_zero(n, sizeof(uint32_t)),
	};
}

struct sheaf sheaf_sized(unsigned from, unsigned to, size_t n, bool fan, bool high)
{
	struct sheaf s = sheaf_new(from, to, n);

	s.n = n;
	s.times = spill_new(n, sizeof *s.times);
	s.tos = fan ? array_zero(n, sizeof *s.tos) : NULL;
	s.length_high = high ? array_zero(n, sizeof *s.length_high) : NULL;
	return s;
}

static void make_blocks(struct sheaf *s)
{
	s->blocks = array_zero(s->room / SHEAF_BLOCK + 1, sizeof *s->blocks);
	s->stretches = array_zero(s->room / SHEAF_STRETCH + 1, sizeof *s->stretches);
}

struct sheaf sheaf_settled(unsigned from, unsigned to, size_t n)
{
	struct sheaf s = sheaf_new(from, to, n);

	make_blocks(&s);
	return s;
}

void sheaf_free(struct sheaf *s)
{
	free(s->start);
	free(s->end);
	spill_free(s->times);
	free(s->tos);
	free(s->length);
	free(s->length_high);
	free(s->blocks);
	free(s->stretches);
	sheaf_picks_free(s->picks);
}

void sheaf_put(struct sheaf *s, size_t i, struct straw straw)
{
	uint32_t high = (uint32_t)((uint64_t)straw.length >> 32);

	if (high && !s->length_high)
		s->length_high = array_zero(s->room, sizeof *s->length_high);
	if (s->length_high)
		s->length_high[i] = high;
	s->start[i] = straw.start;
	s->end[i] = straw.end;
	if (s->times)
		s->times[i] = straw.time;
	if (s->tos)
		s->tos[i] = straw.to;
	s->length[i] = (uint32_t)straw.length;
}

static int compare_starts(const void *pa, const void *pb)
{
	const struct straw *a = pa, *b = pb;

	return (a->start > b->start) - (a->start < b->start);
}

static int compare_lengths(const void *pa, const void *pb)
{
	const struct straw *a = pa, *b = pb;

	if (a->length != b->length)
		return a->length > b->length ? -1 : 1;
	return compare_starts(a, b);
}

static void sort(struct sheaf *s, size_t i, size_t end, int (*compare)(const void *, const void *))
{
	struct straw *straws = array_zero(end - i, sizeof *straws);

	for (size_t k = i; k < end; k++)
		straws[k - i] = sheaf_get(s, k);
	qsort(straws, end - i, sizeof *straws, compare);
	for (size_t k = i; k < end; k++)
		sheaf_put(s, k, straws[k - i]);
	free(straws);
}

static bool ascends(const struct sheaf *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (s->start[i] < s->start[i - 1])
			return false;
	return true;
}

/* Those that start at one time come the longest first. */
static void settle_times(struct sheaf *s)
{
	for (size_t i = 0, end; i < s->n; i = end) {
		bool good = true;
		for (end = i + 1; end < s->n && s->times[end] == s->times[i]; end++)
			good &= sheaf_length(s, end) <= sheaf_length(s, end - 1);
		if (!good)
			sort(s, i, end, compare_lengths);
	}
}

static void add_to_stretch(struct sheaf *s, size_t i, int64_t length)
{
	struct sheaf_stretch *t = &s->stretches[i / SHEAF_STRETCH];

	if (i % SHEAF_STRETCH == 0)
		*t = (struct sheaf_stretch){length, length};
	t->shortest = length < t->shortest ? length : t->shortest;
	t->longest = length > t->longest ? length : t->longest;
}

static void add_to_block(struct sheaf *s, size_t i, int64_t start)
{
	struct sheaf_block *b = &s->blocks[i / SHEAF_BLOCK];
	int64_t length = sheaf_length(s, i), end = start + length;

	if (i % SHEAF_BLOCK == 0)
		*b = (struct sheaf_block){end, end, i ? b[-1].reached : end, length, length, s->total};
	b->first_end = end < b->first_end ? end : b->first_end;
	b->last_end = end > b->last_end ? end : b->last_end;
	b->reached = end > b->reached ? end : b->reached;
	b->shortest = length < b->shortest ? length : b->shortest;
	b->longest = length > b->longest ? length : b->longest;
	add_to_stretch(s, i, length);
	s->longest = length > s->longest ? length : s->longest;
	s->total += (uint64_t)length;
}

void sheaf_append(struct sheaf *s, struct straw straw)
{
	sheaf_put(s, s->n, straw);
	add_to_block(s, s->n++, straw.time);
}

void sheaf_end(struct sheaf *s)
{
	if (!ascends(s))
		sort(s, 0, s->n, compare_starts);
	settle_times(s);
	make_blocks(s);
	for (size_t i = 0; i < s->n; i++)
		add_to_block(s, i, s->times[i]);
	spill_free(s->times);
	s->times = NULL;
}
