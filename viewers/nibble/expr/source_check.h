/* Checks the argument of a function of the trace: X, X.v, X[...]; and the family of "per". */
#ifndef GLIMPSE_NIBBLE_EXPR_SOURCE_CHECK_H
#define GLIMPSE_NIBBLE_EXPR_SOURCE_CHECK_H

#include "viewers/nibble/expr/node.h"

struct checker {
	const struct spec *spec;
	struct diag *diag;
	const struct interval *member; /* what the name of a kind stands for; NULL: nothing */
	const struct ast_expr *per;    /* the "per" around what is being checked; NULL: none */
};

/* Each function reports errors to the checker's diag and then returns false. */

/* Reads the argument of a function of the trace: X, X.v, X[...], X[...].v, X.v[...]. */
bool source_check_subject(struct checker *c, const struct ast_expr *e, struct source_node *s);
/* Tests whether the selections of unmatched() ask for the anchor alone. */
bool source_check_unmatched(struct checker *c, const struct source_node *s);
/* Returns the kind that an argument names where no event or interval has the name, or KIND_NONE. */
enum interval_kind source_kind(const struct checker *c, const struct ast_expr *e);
/* Reads the family that "per" asks for. */
bool source_check_per(struct checker *c, struct source_node *s);

#endif
