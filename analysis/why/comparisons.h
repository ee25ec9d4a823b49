/*
 * Evaluates the comparisons that decide whether a condition of measures holds, and keeps their
 * values.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_COMPARISONS_H
#define GLIMPSE_ANALYSIS_WHY_COMPARISONS_H

#include "base/array.h"
#include "spec/expr.h"
#include <stdio.h>

struct tested_comparison {
	const struct expr *expr; /* the hypothesis' */
	double left, right;      /* values of its two sides */
	bool known;              /* false: a side has no value */
	bool holds;
};
typedef VECTOR(struct tested_comparison) comparison_list;

/*
 * Evaluates a condition from left to right, and appends each comparison that it evaluates: of &&
 * and ||, only those up to the one that decides. Returns whether the condition holds.
 */
bool comparisons_take(comparison_list *list, const struct expr *condition, const struct binding *b);
/*
 * Prints the measure, its value and the threshold: "share(kind "wait") = 38.8 % > 20.0 %"; of a
 * comparison that does not hold, "= 3.8 %, not > 20.0 %"; "-" for a value that is not known.
 */
void comparison_print(FILE *out, const struct tested_comparison *c);

/* Returns the first measure of an expression; NULL: it has none. */
const struct test_measure *measure_in(const struct expr *e);

#endif
