/* Checks whether the assertions of a specification hold for a trace. */
#ifndef GLIMPSE_MATCH_STATS_ASSERTIONS_H
#define GLIMPSE_MATCH_STATS_ASSERTIONS_H

#include "match/stats/series.h"

/* ---- aggregates ---- */

/* The aggregates that assertions ask for: each is found once, and remembered. */
struct aggregates;

struct aggregates *aggregates_new(struct trace *t);
/* Instances that the caller finds and keeps, and the values of their metrics. */
struct lender {
	const struct matches *(*find)(void *context, const struct interval *interval);
	struct series (*measure)(void *context, const struct interval *interval,
				 const struct metric *metric);
	void *context;
};
struct aggregates *aggregates_new_from(struct trace *t, const struct lender *lender);
void aggregates_free(struct aggregates *a);

/* Returns the interval's instances, which live as long as the aggregates. */
const struct matches *aggregates_matches(struct aggregates *a, const struct interval *interval);
/* Finds the value of an aggregate: for binding.aggregate, with the aggregates as its context. */
bool aggregates_value(void *aggregates, const struct aggregate *aggregate, struct value *result);
/* Calls show() with each aggregate of an expression, from the left. */
void aggregates_each(const struct expr *e, void (*show)(void *context, const struct expr *e),
		     void *context);

/* ---- assertions ---- */

/* An instance in which the assertion does not hold. */
struct violation {
	size_t anchor;
	double excess; /* by how much a comparison fails; instances with more are worse */
};

struct verdict {
	const struct assertion *assertion;
	bool holds;
	bool undefined;             /* over aggregates: one of them has no value */
	size_t instances, violated; /* of an interval's instances */
	uint64_t faults;            /* of these: by overflow or division by zero */
	struct violation *worst;    /* in order, the worst first */
	size_t nworst;
};

/* Checks an assertion. Keeps at most so many of the worst violations. */
struct verdict check_assertion(struct aggregates *a, const struct assertion *assertion,
			       size_t worst);
/* Does the same, and calls show() with each instance that breaks the assertion, in order. */
struct verdict check_each(struct aggregates *a, const struct assertion *assertion, size_t worst,
			  void (*show)(void *context, const struct matches *m, size_t anchor),
			  void *context);
void verdict_clear(struct verdict *v);

/* Returns by how much a condition fails that does not hold; where it compares no numbers, the
 * duration. */
double check_excess(const struct expr *e, const struct binding *b);

/* Returns the assertion as it was written, on one line; the caller frees it. */
char *assertion_text(const struct assertion *assertion);

#endif
