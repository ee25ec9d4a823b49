/* Whether a trace is as its specification asserts. */
#ifndef GLIMPSE_MATCH_STATS_CHECK_H
#define GLIMPSE_MATCH_STATS_CHECK_H

#include "match/stats/aggregates.h"

/* An instance in which the assertion does not hold. */
struct violation {
	size_t anchor;
	double excess;          /* by how much a comparison fails; instances with more are worse */
};

struct verdict {
	const struct assertion *assertion;
	bool holds;
	bool undefined;                 /* over aggregates: one of them has no value */
	size_t instances, violated;     /* of an interval's instances */
	uint64_t faults;                /* of these: by overflow or division by zero */
	struct violation *worst;        /* in order, the worst first */
	size_t nworst;
};

/* At most so many of the worst violations are kept. */
struct verdict check_assertion(struct aggregates *a, const struct assertion *assertion,
			       size_t worst);
/* The same; calls show() with each instance that breaks the assertion, in order. */
struct verdict check_each(struct aggregates *a, const struct assertion *assertion, size_t worst,
			  void (*show)(void *context, const struct matches *m, size_t anchor),
			  void *context);
void verdict_clear(struct verdict *v);

/*
 * By how much a condition fails that does not hold; where it says nothing of numbers, the duration.
 */
double check_excess(const struct expr *e, const struct binding *b);

/* The assertion as it was written, on one line; to be freed. */
char *assertion_text(const struct assertion *assertion);

/* Calls show() with each aggregate of an expression, from the left. */
void each_aggregate(const struct expr *e, void (*show)(void *context, const struct expr *e),
		    void *context);

#endif
