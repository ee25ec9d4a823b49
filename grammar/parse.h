/* Text to syntax tree. */
#ifndef GLIMPSE_GRAMMAR_PARSE_H
#define GLIMPSE_GRAMMAR_PARSE_H

#include "grammar/ast.h"
#include "grammar/diag.h"

/*
 * Parses a whole specification, or one series expression (tree->series). Tells diag of every error,
 * each once, and goes on behind it. NULL if there was an error. The tree borrows the source;
 * release it with ast_free().
 */
struct ast *parse_spec(const struct source *source, struct diag *diag);
struct ast *parse_series(const struct source *source, struct diag *diag);

#endif
