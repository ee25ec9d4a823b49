/*
 * How an interval's condition is answered: its conjuncts, sorted by what can be done with each.
 * Equalities between the sides part the events into groups; comparisons between the sides are
 * looked up in an index; what concerns one side alone is a filter; the rest is tested on each
 * candidate that is left.
 */
#ifndef GLIMPSE_MATCH_PLAN_PLAN_H
#define GLIMPSE_MATCH_PLAN_PLAN_H

#include "match/plan/comparison.h"
#include "spec/spec.h"

enum part_use { PART_ANCHOR, PART_PARTNER, PART_REST };

/* A conjunct that is evaluated as it stands. */
struct conjunct {
	enum part_use use;
	const struct expr *source;
	bool negated;           /* it must be false */
};

struct plan {
	const struct interval *interval;
	struct program *filter[2];      /* indexed by enum side */
	struct pair *equal;
	unsigned nequal;
	struct pair *order;             /* PAIR_ORDER and PAIR_DIFFER */
	unsigned norder;
	struct program *rest;
	struct conjunct *parts;             /* of the filters and the rest, for explanations */
	unsigned nparts;
	unsigned keys;                  /* words of a key: 0, 1, 2 */
	bool exact;                     /* equal keys mean equal values; else the rest tests them */
	bool names;                     /* it asks for the names of threads */
	bool scans;                     /* nothing narrows: every pair may be tested */
	/*
	 * Every form is one search: for each moment of one side (the query), in the order of the
	 * stream, the first or last moment of the other side (the candidates) that is later or
	 * earlier, and perhaps not yet taken.
	 */
	enum side candidates;
	bool later;
	bool take;
};

struct plan *plan_new(const struct interval *interval);
void plan_free(struct plan *p);

/* Words that each moment has in the index: one for an order, two for an inequality. */
unsigned plan_columns(const struct plan *p);

/* The conjuncts that compare sums which mix the sides: a.x + b.y < 10 becomes a.x - 10 < -b.y. */
bool linear_pair(const struct expr *e, struct pair *pair);

/* Which sides an expression speaks of: 1 << enum side. */
unsigned expr_sides(const struct expr *e);

#endif
