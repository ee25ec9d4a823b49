#include "spec/check.h"
#include "spec/resolver.h"

static void assertion_resolve(struct resolver *r, struct assertion *a,
			      const struct ast_assertion *ast)
{
	struct scope scope = {.spec = r->spec, .diag = r->diag};
	const struct ast_name *name = &ast->interval;
	if (name->text) {
		a->interval = scope.interval = spec_interval(r->spec, name->text);
		if (!a->interval) {
			error_unknown(r->diag, name->where, nearest_interval(r->spec, name->text),
				      "no interval '%s'", name->text);
			return;
		}
		if (!end_event(&a->interval->anchor) || !end_event(&a->interval->partner))
			return;
	}
	scope.duration = a->interval != NULL;
	scope.aggregates = a->interval == NULL;
	a->condition = condition_check(&scope, ast->condition);
}

void assertions_resolve(struct resolver *r)
{
	for (unsigned i = 0; i < r->spec->nassertions; i++)
		assertion_resolve(r, r->spec->assertions[i], &r->assertion_items[i]->assertion);
}
