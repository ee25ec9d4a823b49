/* The expressions to draw: from the command line, and from files that keep sets of plots. */
#ifndef GLIMPSE_NIBBLE_EXPR_EXPRESSIONS_H
#define GLIMPSE_NIBBLE_EXPR_EXPRESSIONS_H

#include "base/array.h"
#include "grammar/ast.h"

struct expression {
	struct source *source;
	struct ast *tree;
	char *text;	  /* as it was written, for legends */
	unsigned section; /* which of the page's plots it belongs to */
};

struct expressions {
	struct expression *at;
	size_t n, room;
	VECTOR(char *) headings; /* of each section; NULL: it has none */
};

/* Each tells diag of every error and then gives false. They add to what is there. */
bool expressions_take(struct expressions *x, const char *const *arguments, unsigned n,
		      struct diag *diag);
/*
 * A file of plots. A line holds one expression; a line "plot TITLE" begins another plot, which the
 * expressions after it belong to; # begins a comment.
 */
bool expressions_read(struct expressions *x, const char *path, struct diag *diag);
void expressions_free(struct expressions *x);

#endif
