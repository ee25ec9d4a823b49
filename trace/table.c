#include "trace/table.h"
#include "trace/array.h"
#include <stdlib.h>
#include <string.h>

void table_reset(struct table *t, size_t n)
{
	t->nslots = 4;
	while (t->nslots < 2 * n)
		t->nslots *= 2;
	if (t->nslots > t->room) {
		free(t->slots);
		t->slots = array_new(t->nslots, sizeof *t->slots);
		t->room = t->nslots;
	}
	memset(t->slots, 0, t->nslots * sizeof *t->slots);
}

void table_clear(struct table *t)
{
	free(t->slots);
}
