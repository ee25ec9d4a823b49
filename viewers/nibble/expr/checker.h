/*
 * What the parts of the checker share. Every function tells the diag and gives NULL or false on an
 * error.
 */
#ifndef GLIMPSE_NIBBLE_EXPR_CHECKER_H
#define GLIMPSE_NIBBLE_EXPR_CHECKER_H

#include "viewers/nibble/expr/series_check.h"

struct checker {
	const struct spec *spec;
	struct diag *diag;
	struct ast_name per; /* of the "per" around what is being checked; text == NULL: none */
};

struct node *check_expression(struct checker *c, const struct ast_expr *e);
/* Whether a series can be an operand: colours cannot. */
bool check_computable(struct checker *c, const struct node *n);
/* f(...): a function of the trace, or of a series. */
struct node *check_call(struct checker *c, const struct ast_expr *e);
/* The argument of a function of the trace: X, X.v, X[...], X[...].v, X.v[...]. */
bool check_subject(struct checker *c, const struct ast_expr *e, struct source_node *s);
/* One item of a selection, appended to the source. */
bool check_selection(struct checker *c, const struct ast_argument *item, struct source_node *s);
/* Whether the selections of unmatched() ask the anchor alone. */
bool check_unmatched(struct checker *c, const struct source_node *s);
/* The family that "per" asks for. */
bool check_per(struct checker *c, struct source_node *s);

#endif
