#include "base/value_bag.h"
#include "base/quantile.h"
#include <stdlib.h>

size_t value_bag_many = BAG_COUNTED / 8; /* kept, they then take a quarter of what the counts do */

static bool is_small(int64_t value)
{
	return (uint64_t)value < BAG_COUNTED;
}

void value_bag_count(struct value_bag *b)
{
	size_t n = 0;

	b->counts = array_zero(BAG_COUNTED, sizeof *b->counts);
	for (size_t i = 0; i < b->kept.n; i++)
		if (is_small(b->kept.at[i]))
			b->counts[b->kept.at[i]]++;
		else
			b->kept.at[n++] = b->kept.at[i];
	b->kept.n = n;
}

void value_bag_list(const struct value_bag *b, int64_t *to)
{
	for (size_t i = 0; i < b->kept.n; i++)
		*to++ = b->kept.at[i];
	for (int64_t value = 0; b->counts && value < BAG_COUNTED; value++)
		for (uint32_t k = 0; k < b->counts[value]; k++)
			*to++ = value;
}

/* Adds up how often each small value is in a bag; appends the others. */
static void bag_take(const struct value_bag *b, uint64_t *counts, int64_t *others, size_t *n)
{
	for (size_t i = 0; i < b->kept.n; i++)
		if (is_small(b->kept.at[i]))
			counts[b->kept.at[i]]++;
		else
			others[(*n)++] = b->kept.at[i];
	for (size_t i = 0; b->counts && i < BAG_COUNTED; i++)
		counts[i] += b->counts[i];
}

int64_t value_bags_quantile(const struct value_bag *const *bags, size_t n, double q)
{
	uint64_t *counts = array_zero(BAG_COUNTED, sizeof *counts);
	size_t all = 0, kept = 0, nothers = 0, place;
	int64_t *others, value = 0, found;

	for (size_t i = 0; i < n; i++) {
		all += bags[i]->n;
		kept += bags[i]->kept.n;
	}
	others = array_new(kept, sizeof *others);
	for (size_t i = 0; i < n; i++)
		bag_take(bags[i], counts, others, &nothers);
	place = quantile_place(all, q);
	while (value < BAG_COUNTED && place >= counts[value])
		place -= counts[value++];
	found = value;
	if (value == BAG_COUNTED)
		quantiles_find(others, nothers, &place, 1, &found);
	free(counts);
	free(others);
	return found;
}

void value_bag_free(struct value_bag *b)
{
	free(b->counts);
	free(b->kept.at);
}
