/*
 * The operators between series. Series of different clocks are joined by these rules:
 *
 * - a constant joins with every value of the other;
 * - steps and points (each holds until the next) give steps that change at the union of their
 *   times;
 * - with lines on either side the result is lines over the union of their vertices: exact for
 *   sums and differences;
 * - cells of the same edges join cell by cell. Otherwise the operand with the finer cells sets
 *   the edges, and the other is averaged over each of them, weighted by time;
 * - x / 0 and everything with a value that does not exist does not exist.
 */
#ifndef GLIMPSE_NIBBLE_SERIES_COMBINE_H
#define GLIMPSE_NIBBLE_SERIES_COMBINE_H

#include "viewers/nibble/expr/node.h"
#include "viewers/nibble/series/curve.h"

/* Applies an operation to two values. */
double operation_apply(enum arithmetic op, double a, double b);

/* Make a series, without a title; the dimensions must fit (dimension_adds). */
struct curve *curve_combine(enum arithmetic op, const struct curve *a, const struct curve *b);
struct curve *curve_negate(const struct curve *s);

/*
 * Combines families: one series joins with every member of the other family; two families join
 * member by member of the same key, and members without a counterpart are left out.
 */
struct family family_combine(enum arithmetic op, const struct family *a, const struct family *b);

#endif
