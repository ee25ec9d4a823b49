/*
 * The order of a curve that fills the space of some columns (Morton's), so that what is near in all
 * of them stands together. It is laid by the ranks of the words: each bit halves what there is.
 */
#ifndef GLIMPSE_TRACE_CURVE_H
#define GLIMPSE_TRACE_CURVE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Which of n things, fewer than 2^32, is where; words: ncolumns of each. Bit c of mirrors: column
 * c + 1 is the mirror of column c, and says nothing new. Owned by the caller.
 */
uint32_t *curve_order(const int32_t *words, size_t n, unsigned ncolumns, uint32_t mirrors);

#endif
