/* Hashes words, and keeps a hash table from keys of two words to small numbers. */
#ifndef GLIMPSE_BASE_HASH_H
#define GLIMPSE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Mixes a word: each bit of the result depends on each bit of x; hash_unmix() gives x back. */
static inline uint64_t hash_mix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

static inline uint64_t hash_unmix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xcfee444d8b59a89b;
	x = (x ^ x >> 32) * 0xcfee444d8b59a89b;
	return x ^ x >> 32;
}

/* Returns a hash of a text. */
static inline uint64_t hash_text(const char *text)
{
	uint64_t hash = 0;

	for (; *text; text++)
		hash = hash_mix(hash ^ (unsigned char)*text);
	return hash;
}

#define HASH_NOTHING UINT32_MAX

/*
 * The caller sets head and tail. A slot whose tail is HASH_NOTHING is free; a new one has
 * HASH_NOTHING as its head.
 */
struct hash_slot {
	uint64_t key, rest;
	uint32_t head, tail;
};

/* A table of zeros is an empty one. */
struct hash_table {
	struct hash_slot *slots;
	size_t nslots, nkeys;
};

/* Empties the table, which keeps its memory. */
void hash_table_reset(struct hash_table *t);
void hash_table_free(struct hash_table *t);
/* Doubles the table's memory. */
void hash_table_grow(struct hash_table *t);

/*
 * Returns the slot of a key, which is valid until the next call; adds one if there is none. The
 * word key is well mixed.
 */
static inline struct hash_slot *hash_table_slot(struct hash_table *t, uint64_t key, uint64_t rest)
{
	size_t i;

	if (__builtin_expect(2 * t->nkeys >= t->nslots, 0))
		hash_table_grow(t);
	i = key & (t->nslots - 1);
	while (t->slots[i].tail != HASH_NOTHING &&
	       (t->slots[i].key != key || t->slots[i].rest != rest))
		i = (i + 1) & (t->nslots - 1);
	if (t->slots[i].tail == HASH_NOTHING) {
		t->slots[i] = (struct hash_slot){key, rest, HASH_NOTHING, 0};
		t->nkeys++;
	}
	return &t->slots[i];
}

/* Returns the number of a key, which is `next` if the key is new. The key need not be mixed. */
static inline uint32_t hash_table_number(struct hash_table *t, uint64_t key, uint64_t rest,
					 size_t next)
{
	struct hash_slot *slot = hash_table_slot(t, hash_mix(key), rest);

	if (slot->head == HASH_NOTHING)
		slot->head = (uint32_t)next;
	return slot->head;
}

/* Returns the slot of a key, or NULL; changes nothing, so that several threads may look. */
static inline const struct hash_slot *hash_table_find(const struct hash_table *t, uint64_t key,
						      uint64_t rest)
{
	size_t i = t->nslots ? key & (t->nslots - 1) : 0;

	if (!t->nslots)
		return NULL;
	while (t->slots[i].tail != HASH_NOTHING &&
	       (t->slots[i].key != key || t->slots[i].rest != rest))
		i = (i + 1) & (t->nslots - 1);
	return t->slots[i].tail == HASH_NOTHING ? NULL : &t->slots[i];
}

#endif
