/* Sorts numbers; none of them is NaN. */
#ifndef GLIMPSE_NIBBLE_SAMPLE_NUMBER_SORT_H
#define GLIMPSE_NIBBLE_SAMPLE_NUMBER_SORT_H

#include <stddef.h>
#include <stdint.h>

void sort_doubles(double *numbers, size_t n);

/* Sorts whole numbers by their bits from "from" on; most: none is greater; spare: room for n. */
void sort_bits(uint64_t *numbers, size_t n, unsigned from, uint64_t most, uint64_t *spare);

/* The number of that rank, from 0, as if they were sorted; moves them. n > rank. */
double select_double(double *numbers, size_t n, size_t rank);
/*
 * The rank of a quantile of n numbers, the nearest one, from 0: counted in millionths, so that 0.07
 * of 100 is the 7th and not the 8th. n > 0.
 */
size_t quantile_rank(double q, size_t n);

#endif
