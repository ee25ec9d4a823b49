/* What many instances of a spans have together. */
#include "viewers/gorge/index/spans.h"

/* The end of the part of [i, end) that lies in one block. */
static size_t block_end(size_t i, size_t end)
{
	size_t last = (i / SPANS_BLOCK + 1) * SPANS_BLOCK;

	return last < end ? last : end;
}

/* Of lengths of 32 bits, which most are. */
static uint64_t total_short(const uint32_t *length, size_t n)
{
	uint64_t even = 0, odd = 0;

	for (size_t i = 0; i + 1 < n; i += 2) {
		even += length[i];
		odd += length[i + 1];
	}
	return even + odd + (n % 2 ? length[n - 1] : 0);
}

static uint64_t total_each(const struct spans *s, size_t i, size_t end)
{
	uint64_t sum = 0;

	if (!s->length_high)
		return total_short(s->length + i, end - i);
	for (; i < end; i++)
		sum += (uint64_t)spans_length(s, i);
	return sum;
}

/* What those before i take. */
static uint64_t total_before(const struct spans *s, size_t i)
{
	if (i == s->n)
		return s->total;
	return s->blocks[i / SPANS_BLOCK].before + total_each(s, i - i % SPANS_BLOCK, i);
}

uint64_t spans_total(const struct spans *s, size_t i, size_t end)
{
	if (end - i > SPANS_BLOCK)
		return total_before(s, end) - total_before(s, i);
	return total_each(s, i, end);
}

/* Whether a stretch begins at i that ends before end or there. */
static bool is_stretch(size_t i, size_t end)
{
	return i % SPANS_GROUP == 0 && end - i >= SPANS_GROUP;
}

size_t spans_find_longer(const struct spans *s, size_t i, size_t end, int64_t length)
{
	for (size_t next; i < end; i = next) {
		if (is_stretch(i, end) && s->stretches[i / SPANS_GROUP].longest < length) {
			next = i + SPANS_GROUP;
			continue;
		}
		next = block_end(i, end);
		if (s->blocks[i / SPANS_BLOCK].longest < length)
			continue;
		for (; i < next; i++)
			if (spans_length(s, i) >= length)
				return i;
	}
	return end;
}

/* Adds what stands at i to the extremes: as many as are known together. Gives the first that is not. */
static size_t count_some(const struct spans *s, size_t i, size_t end, struct interval_key *key)
{
	if (is_stretch(i, end)) {
		const struct spans_group *t = &s->stretches[i / SPANS_GROUP];
		key_extent(key, t->shortest, t->longest);
		return i + SPANS_GROUP;
	}
	if (i % SPANS_BLOCK == 0 && end - i >= SPANS_BLOCK) {
		const struct spans_block *b = &s->blocks[i / SPANS_BLOCK];
		key_extent(key, b->shortest, b->longest);
		return i + SPANS_BLOCK;
	}
	key_extent(key, spans_length(s, i), spans_length(s, i));
	return i + 1;
}

void spans_add_sums(const struct spans *s, size_t i, size_t end, struct interval_key *key)
{
	key->total += (double)spans_total(s, i, end);
	key->count += end - i;
	while (i < end)
		i = count_some(s, i, end, key);
}

/* Of one block. */
static void reaching(const struct spans *s, struct event_walk *w, size_t i, size_t end,
		     struct spans_moment moment, spans_take take, void *context)
{
	for (; i < end; i++) {
		if (!s->tos && s->end[i] < moment.unit)
			continue;
		event_walk_to_unit(w, s->start[i]);
		if (w->at.time + spans_length(s, i) >= moment.time)
			take(context, s, i, w->at.time);
	}
}

/* The begin of the first block of which one may reach there. */
static size_t reaching_from(const struct spans *s, size_t end, int64_t time)
{
	size_t low = 0, high = (end + SPANS_BLOCK - 1) / SPANS_BLOCK;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->blocks[middle].reached < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low * SPANS_BLOCK;
}

void spans_reaching(const struct spans *s, const struct event_index *c, size_t end,
		    struct spans_moment moment, spans_take take, void *context)
{
	struct event_walk w;

	event_walk_begin(&w, c, s->from, NULL);
	for (size_t i = reaching_from(s, end, moment.time), next; i < end; i = next) {
		next = block_end(i, end);
		if (s->blocks[i / SPANS_BLOCK].last_end >= moment.time)
			reaching(s, &w, i, next, moment, take, context);
	}
}

/* Where the unit would be. */
static size_t guess(const struct spans *s, uint32_t unit)
{
	return (size_t)((double)(unit - s->start[0]) / (s->start[s->n - 1] - s->start[0] + 1.0) * (double)s->n);
}

size_t spans_find(const struct spans *s, uint32_t unit)
{
	if (s->n == 0 || unit <= s->start[0])
		return 0;
	if (unit > s->start[s->n - 1])
		return s->n;
	return units_near(s->start, 0, s->n, guess(s, unit), unit);
}

size_t spans_find_after(const struct spans *s, size_t i, uint32_t unit)
{
	size_t near;

	if (i == s->n || unit <= s->start[i])
		return i;
	if (unit > s->start[s->n - 1])
		return s->n;
	near = guess(s, unit);
	return units_near(s->start, i, s->n, near > i ? near : i, unit);
}
