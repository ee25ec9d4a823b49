#include "cli/sql_by.h"
#include "base/array.h"
#include "base/usage.h"
#include "grammar/parse.h"
#include "spec/expr_check.h"
#include "spec/qualified.h"
#include <stdlib.h>

static struct {
	const char *texts[GROUPED_MOST];
	unsigned n;
	struct source *sources[GROUPED_MOST];
	struct ast *trees[GROUPED_MOST];
	VECTOR(struct expr *) keys; /* of all intervals */
} by;

void sql_by_take(const char *expression)
{
	if (by.n == GROUPED_MOST)
		usage_fail("--by: too many expressions (at most %d)", GROUPED_MOST);
	by.texts[by.n++] = expression;
}

bool sql_by_wanted(void)
{
	return by.n > 0;
}

bool sql_by_begin(const struct spec *spec, struct diag *diag)
{
	bool good = true;

	for (unsigned i = 0; i < by.n; i++) {
		by.sources[i] = source_text("--by", by.texts[i]);
		by.trees[i] = parse_series(by.sources[i], diag);
		if (by.trees[i])
			qualified_resolve(spec, by.trees[i]->series);
		else
			good = false;
	}
	return good;
}

bool sql_by_of(const struct spec *spec, const struct interval *i, struct grouped_by *of,
	       struct diag *diag)
{
	*of = (struct grouped_by){.n = by.n};
	for (unsigned k = 0; k < by.n; k++) {
		struct expr *key = interval_key(spec, i, by.trees[k]->series, diag);

		if (!key)
			return false;
		*vector_add(&by.keys) = key;
		of->keys[k] = key;
		of->names[k] = by.texts[k];
	}
	return true;
}

void sql_by_end(void)
{
	for (unsigned i = 0; i < by.n; i++) {
		ast_free(by.trees[i]);
		source_free(by.sources[i]);
	}
	for (size_t i = 0; i < by.keys.n; i++)
		expr_free(by.keys.at[i]);
	free(by.keys.at);
}
