/* One run: its trace, and the series that the expressions give on it. */
#ifndef GLIMPSE_NIBBLE_RUN_H
#define GLIMPSE_NIBBLE_RUN_H

#include "grammar/ast.h"
#include "viewers/nibble/grid.h"
#include "viewers/nibble/options.h"
#include "viewers/nibble/series.h"

/* The expressions of the command line, parsed. */
struct expressions {
	struct ast **trees;
	struct source **sources;
	size_t n;
};

/* False, and diag is told of every error, when one cannot be parsed. To be freed in both cases. */
bool expressions_parse(struct expressions *x, const struct options *o, struct diag *diag);
void expressions_free(struct expressions *x);

/*
 * Evaluates the expressions on the run in n directories and adds what they give to families, one
 * for each expression. number: of the run, among several that are compared, whose names go to the
 * series; -1 when there is only one. *range grows to the time looked at. *subject, the caller's,
 * becomes what the picture is about. False after an error.
 */
bool run_evaluate(const struct options *o, const char *const *directories, unsigned n, int number,
		  const struct expressions *x, struct family *families, struct range *range,
		  char **subject, struct diag *diag);

#endif
