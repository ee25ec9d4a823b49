/* Reads the expressions to draw: from the command line, and from files that keep sets of plots. */
#ifndef GLIMPSE_NIBBLE_EXPR_EXPRESSIONS_H
#define GLIMPSE_NIBBLE_EXPR_EXPRESSIONS_H

#include "base/array.h"
#include "grammar/ast.h"

struct expression {
	struct source *source;
	struct ast *tree;
	char *text;       /* as it was written, for legends */
	unsigned section; /* which of the page's plots it belongs to */
};

struct expressions {
	struct expression *at;
	size_t n, room;
	VECTOR(char *) headings; /* of each section, or NULL */
};

/* Adds expressions of the command line. Returns false if diag was told of an error. */
bool expressions_take(struct expressions *x, const char *const *arguments, unsigned n,
		      struct diag *diag);
/*
 * Adds the expressions of a file of plots. A line holds one expression; a line "plot TITLE" begins
 * another plot, which the expressions after it belong to; # begins a comment. Returns false if diag
 * was told of an error.
 */
bool expressions_read(struct expressions *x, const char *path, struct diag *diag);
void expressions_free(struct expressions *x);

#endif
