#include "match/join/table.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 10 };

/* All ones: each tail is TABLE_NOTHING. */
static struct slot *slots_new(size_t n)
{
	struct slot *slots = array_new(n, sizeof *slots);

	memset(slots, 0xff, n * sizeof *slots);
	return slots;
}

void table_reset(struct table *t)
{
	if (t->slots)
		memset(t->slots, 0xff, t->nslots * sizeof *t->slots);
	t->nkeys = 0;
}

void table_grow(struct table *t)
{
	size_t nslots = t->nslots ? 2 * t->nslots : FIRST_SLOTS;
	struct slot *slots = slots_new(nslots);

	for (size_t i = 0; i < t->nslots; i++) {
		size_t to = t->slots[i].key & (nslots - 1);

		if (t->slots[i].tail == TABLE_NOTHING)
			continue;
		while (slots[to].tail != TABLE_NOTHING)
			to = (to + 1) & (nslots - 1);
		slots[to] = t->slots[i];
	}
	free(t->slots);
	t->slots = slots;
	t->nslots = nslots;
}

void table_clear(struct table *t)
{
	free(t->slots);
}
