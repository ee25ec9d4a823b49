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

struct event_set *event_set_new(const struct event_index *c)
{
	struct event_set *a = array_zero(1, sizeof *a);

	a->nthreads = event_index_trace(c)->nthreads;
	a->threads = array_zero(a->nthreads, sizeof *a->threads);
	return a;
}

void event_set_free(struct event_set *a)
{
	if (!a)
		return;
	for (unsigned t = 0; t < a->nthreads; t++)
		free(a->threads[t].words.at);
	free(a->threads);
	free(a);
}

void event_set_add(struct event_set *a, event_id id)
{
	struct bits *b = &a->threads[event_id_thread(id)];
	uint32_t unit = event_id_unit(id);

	while (b->words.n <= unit / BITS)
		*vector_add(&b->words) = 0;
	b->words.at[unit / BITS] |= UINT64_C(1) << unit % BITS;
}

bool event_set_has(const struct event_set *a, event_id id)
{
	const struct bits *b = &a->threads[event_id_thread(id)];
	uint32_t unit = event_id_unit(id);

	return unit / BITS < b->words.n && b->words.at[unit / BITS] >> unit % BITS & 1;
}

/* The word without the bits before the unit, which lies in it. */
static uint64_t behind(const struct bits *b, uint32_t unit)
{
	return b->words.at[unit / BITS] >> unit % BITS << unit % BITS;
}

/* Those before the unit. */
static uint64_t count_to(const struct bits *b, size_t word, uint32_t unit)
{
	uint64_t count = 0;

	for (; word < unit / BITS && word < b->words.n; word++)
		count += (unsigned)__builtin_popcountll(b->words.at[word]);
	if (word == unit / BITS && word < b->words.n)
		count += (unsigned)__builtin_popcountll(b->words.at[word] ^ behind(b, unit));
	return count;
}

uint64_t event_set_count(const struct event_set *a, unsigned thread, uint32_t from, uint32_t to)
{
	const struct bits *b = &a->threads[thread];
	size_t word = from / BITS;

	return count_to(b, word, to) - count_to(b, word, from);
}

uint32_t event_set_next(const struct event_set *a, unsigned thread, uint32_t from)
{
	const struct bits *b = &a->threads[thread];
	size_t word = from / BITS;
	uint64_t bits = word < b->words.n ? behind(b, from) : 0;

	while (!bits && ++word < b->words.n)
		bits = b->words.at[word];
	return bits ? (uint32_t)(word * BITS) + (uint32_t)__builtin_ctzll(bits) : UINT32_MAX;
}
