/* What values an expression can have, for the warnings. */
#ifndef GLIMPSE_SPEC_RANGE_H
#define GLIMPSE_SPEC_RANGE_H

#include "spec/expr.h"

struct range {
	__int128 low, high;     /* inclusive */
};

/* Everything that an integer expression may be. */
extern const struct range RANGE_ALL;

/* The range of an integer (VALUE_INT) expression: never too small, sometimes too large. */
struct range expr_range(const struct expr *e);

/* Whether two expressions are written alike, wherever: then they always have the same value. */
bool expr_same(const struct expr *a, const struct expr *b);

/* Whether nothing in it depends on events. */
bool expr_is_constant(const struct expr *e);

#endif
