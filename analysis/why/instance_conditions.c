#include "analysis/why/instance_conditions.h"

void conditions_collect(condition_list *c, const struct expr *e)
{
	if (!e)
		return;
	if (e->measure && e->measure->condition && c->n < MOST_CONDITIONS) {
		struct span_condition added = {.interval = e->measure->exact->name,
					       .condition = e->measure->condition,
					       .bit = (unsigned)c->n};

		*vector_add(c) = added;
	}
	conditions_collect(c, e->left);
	conditions_collect(c, e->right);
}

uint64_t condition_bit(const struct span_condition *c, size_t n, const struct test_measure *m)
{
	for (size_t i = 0; i < n; i++)
		if (c[i].condition == m->condition)
			return (uint64_t)1 << c[i].bit;
	return 0;
}
