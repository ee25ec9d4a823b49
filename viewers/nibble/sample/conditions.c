#include "viewers/nibble/sample/conditions.h"

#include <stdlib.h>

struct conditions conditions_of(const struct source_node *source)
{
	struct conditions c = {0};

	for (const struct source_selection *s = source->selections; s; s = s->next)
		if (s->kind == SELECTION_WHERE)
			*vector_add(&c) = formula_of(s->condition);
	for (size_t i = 0; i < c.n; i++)
		c.names |= c.at[i].names;
	return c;
}

void conditions_free(struct conditions *c)
{
	for (size_t i = 0; i < c->n; i++)
		formula_clear(&c->at[i]);
	free(c->at);
}

bool conditions_hold(const struct conditions *c, const struct binding *b, uint64_t *faults)
{
	for (size_t i = 0; i < c->n; i++)
		if (!formula_holds(&c->at[i], b, faults))
			return false;
	return true;
}
