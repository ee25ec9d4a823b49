/*
 * Computes exact quantiles of very many values that are not negative. Small ones, as most durations
 * are, are counted as soon as there are many; the others are kept.
 */
#ifndef GLIMPSE_BASE_VALUE_BAG_H
#define GLIMPSE_BASE_VALUE_BAG_H

#include "base/array.h"
#include <stdbool.h>
#include <stdint.h>

enum { BAG_COUNTED = 1 << 12 }; /* values from 0 to below this can be counted */

/* From so many values on they are counted; tests make it smaller. */
extern size_t value_bag_many;

/* A bag of zeros is an empty one. */
struct value_bag {
	size_t n;
	uint32_t *counts; /* by value; NULL: all values are kept */
	VECTOR(int64_t) kept;
};

/* Counts the small values that are kept. */
void value_bag_count(struct value_bag *b);

static inline void value_bag_add(struct value_bag *b, int64_t value)
{
	b->n++;
	if (b->counts && (uint64_t)value < BAG_COUNTED) {
		b->counts[value]++;
		return;
	}
	*vector_add(&b->kept) = value;
	if (__builtin_expect(!b->counts && b->kept.n >= value_bag_many, 0))
		value_bag_count(b);
}

/* Writes all n values, in no particular order. */
void value_bag_list(const struct value_bag *b, int64_t *to);
/* Returns the q-quantile of all values of n bags, by quantile_place(); there must be a value. */
int64_t value_bags_quantile(const struct value_bag *const *bags, size_t n, double q);
void value_bag_free(struct value_bag *b);

#endif
