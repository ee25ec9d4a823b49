/* Parses text into a syntax tree. */
#ifndef GLIMPSE_GRAMMAR_PARSE_H
#define GLIMPSE_GRAMMAR_PARSE_H

#include "grammar/ast.h"
#include "grammar/diag.h"

/*
 * Parse a whole specification, or one series expression (tree->series). Report every error once,
 * go on after it, and return NULL if there was one. The tree borrows the source; free the
 * tree with ast_free().
 */
struct ast *parse_spec(const struct source *source, struct diag *diag);
struct ast *parse_series(const struct source *source, struct diag *diag);

#endif
