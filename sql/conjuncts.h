/*
 * The condition of an interval as a query needs it: what selects rows, what joins them, and what is
 * tested on pairs.
 */
#ifndef GLIMPSE_SQL_CONJUNCTS_H
#define GLIMPSE_SQL_CONJUNCTS_H

#include "base/array.h"
#include "spec/spec.h"

/* An equality of a value of the anchor and one of the partner. */
struct conjunct_key {
	const struct expr *value[2]; /* by side */
};

/* The later event is at most so much later than the earlier one, ns. */
struct time_bound {
	bool is_bounded;
	int64_t most;
};

typedef VECTOR(const struct expr *) expr_vector;

struct conjuncts {
	expr_vector filter[2]; /* by side; what depends on no event is with the partner's */
	VECTOR(struct conjunct_key) keys;
	expr_vector rest; /* of both sides */
	/* The rest is true of all pairs that are near enough in time, and of no others. */
	bool only_bounds;
	struct time_bound bound;
};

/* Whether a key says that both events are of one thread. */
bool key_is_thread(const struct conjunct_key *k);
/* Whether an expression is an attribute of its side, by its index. */
bool expr_is_attribute(const struct expr *e, int attribute);

struct conjuncts conjuncts_of(const struct interval *i);
void conjuncts_free(struct conjuncts *c);

#endif
