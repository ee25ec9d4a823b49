/* Checks the measures in hypotheses: share(kind "wait"), ... doc/why.md describes each. */
#ifndef GLIMPSE_SPEC_MEASURE_H
#define GLIMPSE_SPEC_MEASURE_H

#include "spec/expr_check.h"

const char *measure_name(enum test_function f);
/* What the value of a measure is: a share of a whole (1: all of it), or a number of something. */
enum measure_unit { MEASURE_SHARE, MEASURE_COUNT, MEASURE_PER_SECOND, MEASURE_TIME /* ns */ };
enum measure_unit measure_unit(enum test_function f);
/* Returns whether the values of a measure are whole numbers. */
bool measure_is_whole(enum test_function f);
/*
 * Returns whether a measure without a kind and a state is about threads that run only: one of
 * events is.
 */
bool measure_is_of_running(const struct test_measure *m);
/*
 * Returns a checked measure, or NULL after an error. The condition on instances is left as it is in
 * the tree.
 */
struct expr *measure_check(const struct scope *s, const struct ast_expr *e);

#endif
