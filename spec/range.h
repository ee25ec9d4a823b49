/* Computes the values that an integer expression can have, from the types of its attributes. */
#ifndef GLIMPSE_SPEC_RANGE_H
#define GLIMPSE_SPEC_RANGE_H

#include "spec/expr.h"

struct range {
	__int128 low, high; /* inclusive */
	bool faults;        /* the expression may overflow or divide by zero */
};

/* All integers. */
extern const struct range RANGE_ALL;

/*
 * Returns the range of an expression: never too small, sometimes too large. For an expression that
 * is no integer (VALUE_INT), that is RANGE_ALL.
 */
struct range expr_range(const struct expr *e);

/* Returns the smallest range that contains both. */
struct range range_join(struct range a, struct range b);

#endif
