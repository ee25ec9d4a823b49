/* Checks the measures in hypotheses: share(kind "wait"), ... doc/why.md describes each. */
#ifndef GLIMPSE_SPEC_MEASURE_H
#define GLIMPSE_SPEC_MEASURE_H

#include "spec/expr_check.h"

const char *measure_name(enum test_function f);
/* Returns whether the values of a measure are whole numbers. */
bool measure_counts(enum test_function f);
/*
 * Returns a checked measure, or NULL after an error. The condition on instances is left as it is in
 * the tree.
 */
struct expr *measure_check(const struct scope *s, const struct ast_expr *e);

#endif
