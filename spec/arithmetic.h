/* Comparing and computing with values, as spec/expr.h defines it. */
#ifndef GLIMPSE_SPEC_ARITHMETIC_H
#define GLIMPSE_SPEC_ARITHMETIC_H

#include "spec/expr.h"

/* Both of numbers or both strings. op: EXPR_EQ .. EXPR_GE. */
bool value_compare(enum expr_op op, const struct value *a, const struct value *b);

/* Numbers; op: EXPR_ADD .. EXPR_MOD. False: overflow or division by zero. */
bool value_compute(enum expr_op op, const struct value *a, const struct value *b,
		   struct value *result);
bool value_negate(const struct value *v, struct value *result);

/* A number as a double. */
double value_real(const struct value *v);

#endif
