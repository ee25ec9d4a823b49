/*
 * Plans how the condition of an interval is evaluated: sorts its conjuncts by their use. Equalities
 * between the sides divide the events into groups. Order comparisons between the sides are looked
 * up in a tree. Conjuncts about one side alone are filters. The rest is tested on each remaining
 * candidate.
 */
#ifndef GLIMPSE_MATCH_PLAN_PLAN_H
#define GLIMPSE_MATCH_PLAN_PLAN_H

#include "match/plan/comparison.h"
#include "spec/spec.h"

enum conjunct_use { CONJUNCT_ANCHOR, CONJUNCT_PARTNER, CONJUNCT_REST };

/* A conjunct that is evaluated as it stands. */
struct conjunct {
	enum conjunct_use use;
	const struct expr *source;
	bool negated; /* it must be false */
};

struct plan {
	const struct interval *interval;
	struct program *filter[2]; /* indexed by enum side */
	struct program *asks;      /* the part of the anchor's filter that selects anchors */
	bool only_asks;            /* that is all of it */
	struct comparison *equal;
	unsigned nequal;
	struct comparison *order; /* COMPARISON_ORDER and COMPARISON_DIFFER */
	unsigned norder;
	struct program *rest;
	struct conjunct *conjuncts; /* of the filters and the rest, for explanations */
	unsigned nconjuncts;
	unsigned keys; /* words of a key: 0, 1, 2 */
	bool exact;    /* equal keys mean equal values; else the rest tests them */
	bool names;    /* it asks for the names of threads, or their processes */
	bool scans;    /* nothing narrows: every pair may be tested */
	/*
	 * Every form is one search. For each moment of one side (the query), in the order of the
	 * stream, the first or last moment of the other side (the candidates) that is later or
	 * earlier, and perhaps not yet taken.
	 */
	enum side candidates;
	bool later;
	bool take;
};

struct plan *plan_new(const struct interval *interval);
void plan_free(struct plan *p);

/* The anchors are selected: what selects them need not be tested again. */
void plan_asked(struct plan *p);
/* Tells whether a conjunct speaks of the anchor alone: then it selects which events are anchors. */
bool conjunct_asks(const struct expr *e);

/* Returns how many words a moment has to compare: one for an order, two for an inequality. */
unsigned plan_columns(const struct plan *p);
/* Tells whether equal keys are all there is to the condition. */
bool plan_is_equality(const struct plan *p);

/* Returns which sides an expression speaks of: bits 1 << enum side. */
unsigned expr_sides(const struct expr *e);

#endif
