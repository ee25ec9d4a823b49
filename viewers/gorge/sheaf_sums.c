/* What many instances of a sheaf have together. */
#include "viewers/gorge/sheaf.h"

/* The end of the part of [i, end) that lies in one block. */
static size_t block_end(size_t i, size_t end)
{
	size_t last = (i / SHEAF_BLOCK + 1) * SHEAF_BLOCK;

	return last < end ? last : end;
}

/* What those before i take. */
static uint64_t total_before(const struct sheaf *s, size_t i)
{
	uint64_t sum = i < s->n ? s->blocks[i / SHEAF_BLOCK].before : s->total;

	for (size_t k = i - i % SHEAF_BLOCK; i < s->n && k < i; k++)
		sum += (uint64_t)sheaf_length(s, k);
	return sum;
}

uint64_t sheaf_total(const struct sheaf *s, size_t i, size_t end)
{
	uint64_t sum = 0;

	if (end - i > SHEAF_BLOCK)
		return total_before(s, end) - total_before(s, i);
	for (; i < end; i++)
		sum += (uint64_t)sheaf_length(s, i);
	return sum;
}

size_t sheaf_longer(const struct sheaf *s, size_t i, size_t end, int64_t length)
{
	for (size_t next; i < end; i = next) {
		next = block_end(i, end);
		if (s->blocks[i / SHEAF_BLOCK].longest < length)
			continue;
		for (; i < next; i++)
			if (sheaf_length(s, i) >= length)
				return i;
	}
	return end;
}

void sheaf_count(const struct sheaf *s, size_t i, size_t end, struct interval_key *key)
{
	key->total += (double)sheaf_total(s, i, end);
	key->count += end - i;
	for (size_t next; i < end; i = next) {
		const struct sheaf_block *b = &s->blocks[i / SHEAF_BLOCK];
		next = block_end(i, end);
		if (next - i == SHEAF_BLOCK) {
			key_extent(key, b->shortest, b->longest);
			continue;
		}
		for (; i < next; i++)
			key_extent(key, sheaf_length(s, i), sheaf_length(s, i));
	}
}

/* Of one block. */
static void reaching(const struct sheaf *s, struct census_walk *w, size_t i, size_t end,
		     int64_t time, sheaf_take take, void *context)
{
	for (; i < end; i++) {
		walk_to_unit(w, s->start[i]);
		if (w->at.time + sheaf_length(s, i) >= time)
			take(context, s, i, w->at.time);
	}
}

/* The first that reaches there if it takes as long as the longest of all. */
static size_t reaching_from(const struct sheaf *s, const struct census *c, size_t end, int64_t time)
{
	size_t i = sheaf_seek(s, 0, census_seek(c, s->from, time - s->longest));

	return i < end ? i : end;
}

void sheaf_reaching(const struct sheaf *s, const struct census *c, size_t end, int64_t time,
		    sheaf_take take, void *context)
{
	struct census_walk w;
	size_t i = reaching_from(s, c, end, time);

	if (i == end)
		return;
	walk_begin(&w, c, s->from, NULL);
	for (size_t next; i < end; i = next) {
		next = block_end(i, end);
		if (s->blocks[i / SHEAF_BLOCK].last_end >= time)
			reaching(s, &w, i, next, time, take, context);
	}
}
