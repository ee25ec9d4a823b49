/*
 * Loads the items of a specification, with those of its imports in their place. Of objects, the
 * first that matches decides: a file's own come before those that it imports, wherever it does so.
 */
#ifndef GLIMPSE_SPEC_LOAD_H
#define GLIMPSE_SPEC_LOAD_H

#include "grammar/ast.h"

/* One file or text. Each is read once, however often it is imported. */
struct load_unit {
	struct source *source;
	struct ast *tree;
	char *identity;                   /* its canonical path; NULL: it has none */
	const struct load_unit *importer; /* leads to the root; NULL for the root */
	bool busy;                        /* being read: to import it now is a cycle */
};

/* Which imports are read: any; those from the directory of the importing file; none. */
enum imports { IMPORTS_ANY, IMPORTS_BESIDE, IMPORTS_NONE };

struct load {
	struct load_unit **units;
	size_t nunits;
	const struct ast_item **items; /* no imports among them */
	size_t nitems;
	/* private: the objects among the items, those of a file before those that it imports */
	const struct ast_item **objects;
	size_t nobjects;
	const struct ast_block *block; /* of the root: names the specification */
	enum imports imports;
	struct diag *diag;
};

/*
 * Reads a source, which it takes over, and all that the source imports. Returns false if there was
 * an error. To be released in both cases.
 */
bool load_read(struct load *l, struct source *source, const char *path, enum imports imports,
	       struct diag *diag);
/* Frees a load, but returns its sources, an array that the caller frees. */
struct source **load_release(struct load *l, size_t *n);

#endif
