/* From the syntax of a series expression to its meaning: names, arity, units. */
#ifndef GLIMPSE_NIBBLE_EXPR_SERIES_CHECK_H
#define GLIMPSE_NIBBLE_EXPR_SERIES_CHECK_H

#include "viewers/nibble/expr/node.h"

/*
 * Checks an expression against a specification. Tells diag of what is wrong, with its place in the
 * argument; NULL then. The node borrows from the specification; release it with node_free().
 */
struct node *check_series(const struct ast_expr *e, const struct spec *spec, struct diag *diag);

#endif
