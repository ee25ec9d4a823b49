/*
 * A hash table from keys of two words, the first of them well mixed, to small numbers; emptied and
 * used again for each bucket.
 */
#ifndef GLIMPSE_MATCH_JOIN_TABLE_H
#define GLIMPSE_MATCH_JOIN_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define TABLE_NOTHING UINT32_MAX

/*
 * head and tail are the user's, but a tail of TABLE_NOTHING means that the slot is free. A new slot
 * has TABLE_NOTHING as its head.
 */
struct slot {
	uint64_t key, rest;
	uint32_t head, tail;
};

struct table {
	struct slot *slots;
	size_t nslots, nkeys;
};

/* Empties it; it keeps its room. */
void table_reset(struct table *t);
void table_clear(struct table *t);
void table_grow(struct table *t);

/* Stays where it is until the next call. */
static inline struct slot *table_slot(struct table *t, uint64_t key, uint64_t rest)
{
	size_t i;

	if (__builtin_expect(2 * t->nkeys >= t->nslots, 0))
		table_grow(t);
	i = key & (t->nslots - 1);
	while (t->slots[i].tail != TABLE_NOTHING &&
	       (t->slots[i].key != key || t->slots[i].rest != rest))
		i = (i + 1) & (t->nslots - 1);
	if (t->slots[i].tail == TABLE_NOTHING) {
		t->slots[i] = (struct slot){key, rest, TABLE_NOTHING, 0};
		t->nkeys++;
	}
	return &t->slots[i];
}

#endif
