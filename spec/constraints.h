/*
 * Collects what a conjunction demands of its expressions: how pairs of them compare, and between
 * which constants one is. Enough to see that a condition contradicts itself; no theorem prover.
 */
#ifndef GLIMPSE_SPEC_CONSTRAINTS_H
#define GLIMPSE_SPEC_CONSTRAINTS_H

#include "spec/range.h"
#include "spec/spec.h"

/* How two values may compare, as a set. */
enum { IS_LESS = 1, IS_EQUAL = 2, IS_GREATER = 4, IS_UNORDERED = 8 };

struct constraint {
	const struct expr *left, *right;
	unsigned relations;
	struct span where;
};

struct bound {
	const struct expr *e;
	struct range range;
	struct span where;
};

enum { MOST_CONSTRAINTS = 64 }; /* of each kind; later ones are not compared */

struct constraints {
	struct constraint constraints[MOST_CONSTRAINTS];
	struct bound bounds[MOST_CONSTRAINTS];
	unsigned nconstraints, nbounds;
	bool forwards, backwards; /* the anchor's time is at most, at least the partner's */
	bool impossible;          /* the conjunction contradicts itself */
	struct span where, other; /* then: where, and what it contradicts (or nowhere) */
};

/* Adds a condition that must hold together with all those added before. */
void constraints_add(struct constraints *c, const struct expr *condition);

#endif
