#include "viewers/nibble/conditions.h"

#include <stdlib.h>

struct conditions conditions_of(const struct source_node *source)
{
	struct conditions c = {0};

	for (const struct selection *s = source->selections; s; s = s->next) {
		struct condition *condition;

		if (s->kind != SELECTION_WHERE)
			continue;
		condition = vector_add(&c);
		condition->expression = s->condition;
		if (expr_has(s->condition, EXPR_METRIC))
			continue;
		condition->program = program_new();
		program_add(condition->program, s->condition);
	}
	return c;
}

void conditions_free(struct conditions *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->at[i].program)
			program_free(c->at[i].program);
	free(c->at);
}

bool conditions_hold(const struct conditions *c, const struct binding *b, uint64_t *faults)
{
	for (size_t i = 0; i < c->n; i++) {
		enum verdict verdict;

		if (!c->at[i].program) {
			if (!expr_holds(c->at[i].expression, b, faults))
				return false;
			continue;
		}
		verdict = program_holds(c->at[i].program, b->side);
		if (verdict == VERDICT_TRUE)
			continue;
		if (verdict == VERDICT_FAULT)
			++*faults;
		return false;
	}
	return true;
}
