/* A hash table from keys that are already well mixed to small numbers; emptied and used again for each bucket. */
#ifndef GLIMPSE_TRACE_TABLE_H
#define GLIMPSE_TRACE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define TABLE_NOTHING UINT32_MAX

struct slot {
	uint64_t key;
	uint32_t head, tail;    /* the user's; a new slot has TABLE_NOTHING in both */
	uint32_t used;
};

struct table {
	struct slot *slots;
	size_t nslots, room;
};

/* Empties the table and makes room for up to n keys. */
void table_reset(struct table *t, size_t n);
void table_clear(struct table *t);

static inline struct slot *table_slot(struct table *t, uint64_t key)
{
	size_t i = key & (t->nslots - 1);

	while (t->slots[i].used && t->slots[i].key != key)
		i = (i + 1) & (t->nslots - 1);
	if (!t->slots[i].used)
		t->slots[i] = (struct slot){key, TABLE_NOTHING, TABLE_NOTHING, 1};
	return &t->slots[i];
}

#endif
