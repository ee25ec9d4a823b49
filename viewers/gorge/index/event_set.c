#include "viewers/gorge/index/event_set.h"
#include "base/array.h"
#include <stdlib.h>

enum { BITS = 64 };

struct bits {
	VECTOR(uint64_t) words;
};

struct event_set {
	unsigned nthreads;
	struct bits *threads;
};

struct event_set *event_set_new(const struct event_index *x)
{
	struct event_set *s = array_zero(1, sizeof *s);

	s->nthreads = event_index_trace(x)->nthreads;
	s->threads = array_zero(s->nthreads, sizeof *s->threads);
	return s;
}

void event_set_free(struct event_set *s)
{
	if (!s)
		return;
	for (unsigned t = 0; t < s->nthreads; t++)
		free(s->threads[t].words.at);
	free(s->threads);
	free(s);
}

void event_set_add(struct event_set *s, event_id id)
{
	struct bits *b = &s->threads[event_id_thread(id)];
	uint32_t unit = event_id_unit(id);

	while (b->words.n <= unit / BITS)
		*vector_add(&b->words) = 0;
	b->words.at[unit / BITS] |= UINT64_C(1) << unit % BITS;
}

bool event_set_has(const struct event_set *s, event_id id)
{
	const struct bits *b = &s->threads[event_id_thread(id)];
	uint32_t unit = event_id_unit(id);

	return unit / BITS < b->words.n && b->words.at[unit / BITS] >> unit % BITS & 1;
}

/* Returns the bits of the unit's word that are not before the unit. */
static uint64_t bits_from(const struct bits *b, uint32_t unit)
{
	return b->words.at[unit / BITS] >> unit % BITS << unit % BITS;
}

/* Counts the members from a word on that are before the unit. */
static uint64_t event_set_count_before(const struct bits *b, size_t word, uint32_t unit)
{
	uint64_t count = 0;

	for (; word < unit / BITS && word < b->words.n; word++)
		count += (unsigned)__builtin_popcountll(b->words.at[word]);
	if (word == unit / BITS && word < b->words.n)
		count += (unsigned)__builtin_popcountll(b->words.at[word] ^ bits_from(b, unit));
	return count;
}

uint64_t event_set_count(const struct event_set *s, unsigned thread, uint32_t from, uint32_t to)
{
	const struct bits *b = &s->threads[thread];
	size_t word = from / BITS;

	return event_set_count_before(b, word, to) - event_set_count_before(b, word, from);
}

uint32_t event_set_next(const struct event_set *s, unsigned thread, uint32_t from)
{
	const struct bits *b = &s->threads[thread];
	size_t word = from / BITS;
	uint64_t bits = word < b->words.n ? bits_from(b, from) : 0;

	while (!bits && ++word < b->words.n)
		bits = b->words.at[word];
	return bits ? (uint32_t)(word * BITS) + (uint32_t)__builtin_ctzll(bits) : UINT32_MAX;
}
