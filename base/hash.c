#include "base/hash.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 10 };

void hash_table_reset(struct hash_table *t)
{
	if (t->slots)
		memset(t->slots, 0xff, t->nslots * sizeof *t->slots);
	t->nkeys = 0;
}

void hash_table_grow(struct hash_table *t)
{
	size_t nslots = t->nslots ? 2 * t->nslots : FIRST_SLOTS;
	struct hash_slot *slots = array_new(nslots, sizeof *slots);

	/* ones only: each tail is HASH_NOTHING */
	memset(slots, 0xff, nslots * sizeof *slots);
	for (size_t i = 0; i < t->nslots; i++) {
		size_t to = t->slots[i].key & (nslots - 1);

		if (t->slots[i].tail == HASH_NOTHING)
			continue;
		while (slots[to].tail != HASH_NOTHING)
			to = (to + 1) & (nslots - 1);
		slots[to] = t->slots[i];
	}
	free(t->slots);
	t->slots = slots;
	t->nslots = nslots;
}

void hash_table_free(struct hash_table *t)
{
	free(t->slots);
}
