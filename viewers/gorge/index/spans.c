#include "viewers/gorge/index/spans.h"
#include "base/spill.h"
#include "base/array.h"
#include <stdlib.h>

static struct spans sheaf_new(unsigned from, unsigned to, size_t n)
{
	return (struct spans){
	    .from = from,
	    .to = to,
	    .room = n,
	    .start = array_zero(n, sizeof(uint32_t)),
	    .end = array_zero(n, sizeof(uint32_t)),
	    .length = array_zero(n, sizeof(uint32_t)),
	};
}

struct spans spans_new(unsigned from, unsigned to, size_t n, bool fan, bool high)
{
	struct spans s = sheaf_new(from, to, n);

	s.n = n;
	s.times = spill_new(n, sizeof *s.times);
	s.tos = fan ? array_zero(n, sizeof *s.tos) : NULL;
	s.length_high = high ? array_zero(n, sizeof *s.length_high) : NULL;
	return s;
}

static void make_blocks(struct spans *s)
{
	s->blocks = array_zero(s->room / SPANS_BLOCK + 1, sizeof *s->blocks);
	s->stretches = array_zero(s->room / SPANS_GROUP + 1, sizeof *s->stretches);
}

struct spans spans_new_sorted(unsigned from, unsigned to, size_t n)
{
	struct spans s = sheaf_new(from, to, n);

	make_blocks(&s);
	return s;
}

void spans_free(struct spans *s)
{
	free(s->start);
	free(s->end);
	spill_free(s->times);
	free(s->tos);
	free(s->length);
	free(s->length_high);
	free(s->blocks);
	free(s->stretches);
	spans_selection_free(s->picks);
}

void spans_put(struct spans *s, size_t i, struct spans_entry entry)
{
	uint32_t high = (uint32_t)((uint64_t)entry.length >> 32);

	if (high && !s->length_high)
		s->length_high = array_zero(s->room, sizeof *s->length_high);
	if (s->length_high)
		s->length_high[i] = high;
	s->start[i] = entry.start;
	s->end[i] = entry.end;
	if (s->times)
		s->times[i] = entry.time;
	if (s->tos)
		s->tos[i] = entry.to;
	s->length[i] = (uint32_t)entry.length;
}

static int compare_starts(const void *pa, const void *pb)
{
	const struct spans_entry *a = pa, *b = pb;

	return (a->start > b->start) - (a->start < b->start);
}

static int compare_lengths(const void *pa, const void *pb)
{
	const struct spans_entry *a = pa, *b = pb;

	if (a->length != b->length)
		return a->length > b->length ? -1 : 1;
	return compare_starts(a, b);
}

static void sort(struct spans *s, size_t i, size_t end, int (*compare)(const void *, const void *))
{
	struct spans_entry *entries = array_zero(end - i, sizeof *entries);

	for (size_t k = i; k < end; k++)
		entries[k - i] = spans_get(s, k);
	qsort(entries, end - i, sizeof *entries, compare);
	for (size_t k = i; k < end; k++)
		spans_put(s, k, entries[k - i]);
	free(entries);
}

static bool ascends(const struct spans *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (s->start[i] < s->start[i - 1])
			return false;
	return true;
}

/* Those that start at one time come the longest first. */
static void settle_times(struct spans *s)
{
	for (size_t i = 0, end; i < s->n; i = end) {
		bool good = true;
		for (end = i + 1; end < s->n && s->times[end] == s->times[i]; end++)
			good &= spans_length(s, end) <= spans_length(s, end - 1);
		if (!good)
			sort(s, i, end, compare_lengths);
	}
}

static void add_to_stretch(struct spans *s, size_t i, int64_t length)
{
	struct spans_group *t = &s->stretches[i / SPANS_GROUP];

	if (i % SPANS_GROUP == 0)
		*t = (struct spans_group){length, length};
	t->shortest = length < t->shortest ? length : t->shortest;
	t->longest = length > t->longest ? length : t->longest;
}

static void add_to_block(struct spans *s, size_t i, int64_t start)
{
	struct spans_block *b = &s->blocks[i / SPANS_BLOCK];
	int64_t length = spans_length(s, i), end = start + length;

	if (i % SPANS_BLOCK == 0)
		*b = (struct spans_block){end, end, i ? b[-1].reached : end, length, length, s->total};
	b->first_end = end < b->first_end ? end : b->first_end;
	b->last_end = end > b->last_end ? end : b->last_end;
	b->reached = end > b->reached ? end : b->reached;
	b->shortest = length < b->shortest ? length : b->shortest;
	b->longest = length > b->longest ? length : b->longest;
	add_to_stretch(s, i, length);
	s->longest = length > s->longest ? length : s->longest;
	s->total += (uint64_t)length;
}

void spans_append(struct spans *s, struct spans_entry entry)
{
	spans_put(s, s->n, entry);
	add_to_block(s, s->n++, entry.time);
}

void spans_finish(struct spans *s)
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
