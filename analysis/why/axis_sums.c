#include "analysis/why/axis_sums.h"
#include "analysis/why/evidence.h"
#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
	const struct axis_value *x = a, *y = b;

	return (x->time < y->time) - (x->time > y->time);
}

void axis_sums_add(struct axis_sums *s, int64_t key, int64_t time)
{
	struct hash_slot *slot;

	if (key == NO_KEY)
		return;
	slot = hash_table_slot(&s->known, hash_mix((uint64_t)key), 0);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)s->values.n;
		vector_add(&s->values)->key = key;
	}
	s->values.at[slot->head].time += time;
}

axis_values axis_sums_end(struct axis_sums *s)
{
	axis_values values = s->values;

	hash_table_free(&s->known);
	*s = (struct axis_sums){0};
	if (values.n)
		qsort(values.at, values.n, sizeof *values.at, by_time);
	return values;
}
