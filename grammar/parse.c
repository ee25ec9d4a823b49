#include "grammar/parse.h"
#include "grammar/scanner.h"
#include <stdlib.h>

static struct ast *parse(const struct source *source, struct diag *diag, int start)
{
	struct ast *tree = calloc(1, sizeof *tree);
	if (!tree) {
		diag_error(diag, DIAG_NOWHERE, "out of memory");
		return NULL;
	}
	tree->arena = arena_new();
	tree->source = source;
	struct parser p = {.tree = tree, .diag = diag, .first = start};
	p.comment.source = source;
	unsigned before = diag->errors;
	if (scanner_open(&p)) {
		if (grammar_parse(&p) != 0 && diag->errors == before)
			diag_error(diag, DIAG_NOWHERE, "%s cannot be parsed", source->name);
		scanner_close(&p);
	} else {
		diag_error(diag, DIAG_NOWHERE, "%s is too large for a specification", source->name);
	}
	if (diag->errors == before)
		return tree;
	ast_free(tree);
	return NULL;
}

struct ast *parse_spec(const struct source *source, struct diag *diag)
{
	return parse(source, diag, TOKEN_START_SPEC);
}

struct ast *parse_series(const struct source *source, struct diag *diag)
{
	return parse(source, diag, TOKEN_START_SERIES);
}
