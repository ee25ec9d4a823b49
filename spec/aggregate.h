/* Checks aggregates: count(E), p99(I.time), ... */
#ifndef GLIMPSE_SPEC_AGGREGATE_H
#define GLIMPSE_SPEC_AGGREGATE_H

#include "spec/expr_check.h"

/* Returns a checked aggregate, or NULL after an error. */
struct expr *aggregate_check(const struct scope *s, const struct ast_expr *e);

/* Reports an AST_SELECT or AST_PER, which only series expressions may have. */
void series_error(const struct scope *s, const struct ast_expr *e);

#endif
