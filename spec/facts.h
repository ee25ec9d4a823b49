/*
 * What a conjunction says about its parts: how pairs of expressions compare, and between which
 * constants an expression is. Enough to see that a condition contradicts itself; no theorem
 * prover.
 */
#ifndef GLIMPSE_SPEC_FACTS_H
#define GLIMPSE_SPEC_FACTS_H

#include "spec/range.h"
#include "spec/spec.h"

/* How two values may compare, as a set. */
enum { IS_LESS = 1, IS_EQUAL = 2, IS_GREATER = 4, IS_UNORDERED = 8 };

struct fact {
	const struct expr *left, *right;
	unsigned relations;
	struct span where;
};

struct bound {
	const struct expr *e;
	struct range range;
	struct span where;
};

enum { MOST_FACTS = 64 };       /* of each kind; later ones are not compared */

struct facts {
	struct fact facts[MOST_FACTS];
	struct bound bounds[MOST_FACTS];
	unsigned nfacts, nbounds;
	bool forwards, backwards;       /* the anchor's time is at most, at least the partner's */
	bool impossible;                /* the conjunction contradicts itself */
	struct span where, other;       /* then: where, and what it contradicts (or nowhere) */
};

/* Adds a condition that must hold together with all those added before. */
void facts_add(struct facts *f, const struct expr *condition);

#endif
