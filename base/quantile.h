/*
 * Computes exact quantiles of very many values: a histogram of all finds the range of the wanted
 * value, and only that range is sorted further.
 */
#ifndef GLIMPSE_BASE_QUANTILE_H
#define GLIMPSE_BASE_QUANTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the place of the q-quantile among n sorted values by the nearest-rank method. It is the
 * index of the smallest value with at least q * n values at or below it. q is taken to six
 * decimals, so that 0.07 of 100 is the 7th and not the 8th. n > 0.
 */
size_t quantile_place(size_t n, double q);

/*
 * Finds what would be at places, which ascend, if the words were sorted; their order changes. Works
 * on all processors.
 */
void quantiles_find(int64_t *words, size_t n, const size_t *places, size_t count, int64_t *found);

/* From so many words on there is a histogram; tests make it smaller. */
extern size_t quantile_many;

/*
 * The histogram, for values that nobody keeps: the caller counts all of them, narrows the bins to
 * the one that has the wanted place, and counts again until one value is left.
 */
enum { QUANTILE_BITS = 12, QUANTILE_BINS = 1 << QUANTILE_BITS };

struct quantile_bins {
	int64_t low; /* values from low to low + span are counted; */
	uint64_t span;
	unsigned shift; /* bin i begins at low + (i << shift) */
	uint64_t count[QUANTILE_BINS];
};

/* Empties the bins, which are from now on those of low to low + span. */
void quantile_bins_set(struct quantile_bins *b, int64_t low, uint64_t span);

/* Returns the bin of a value, QUANTILE_BINS if it is in none. */
static inline size_t quantile_bin(const struct quantile_bins *b, int64_t value)
{
	uint64_t distance = (uint64_t)value - (uint64_t)b->low;

	return distance <= b->span ? (size_t)(distance >> b->shift) : QUANTILE_BINS;
}

/* Adds the counts of the same bins elsewhere. */
void quantile_bins_add(struct quantile_bins *to, const struct quantile_bins *from);

/* Returns the bin that has the value at a place; *place becomes its place within the bin. */
size_t quantile_bin_at(const struct quantile_bins *b, size_t *place);

/* Sets the bins to those of a bin's values. */
void quantile_bins_narrow(struct quantile_bins *b, size_t bin);

#endif
