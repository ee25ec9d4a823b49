/* What values an integer expression can take, worked out from the types of its attributes. */
#ifndef GLIMPSE_MATCH_PLAN_RANGE_H
#define GLIMPSE_MATCH_PLAN_RANGE_H

#include "spec/expr.h"

struct range {
	__int128 low, high;
	bool faults;    /* it may overflow or divide by zero */
};

#define INTEGER_MIN (-((__int128)1 << 63))
#define INTEGER_MAX (((__int128)1 << 64) - 1)

static inline bool integer_fits(__int128 v)
{
	return v >= INTEGER_MIN && v <= INTEGER_MAX;
}

struct range range_of(const struct expr *e);
struct range range_join(struct range a, struct range b);

#endif
