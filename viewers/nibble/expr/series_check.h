/* Gives a series expression its meaning: names, arity, units. */
#ifndef GLIMPSE_NIBBLE_EXPR_SERIES_CHECK_H
#define GLIMPSE_NIBBLE_EXPR_SERIES_CHECK_H

#include "viewers/nibble/expr/node.h"

/*
 * Checks an expression against a specification, from which the node borrows; release it with
 * node_free(). Returns NULL, and diag is told what is wrong and where, on an error.
 */
struct node *check_series(const struct ast_expr *e, const struct spec *spec, struct diag *diag);

#endif
