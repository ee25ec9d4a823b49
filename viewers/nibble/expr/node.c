#include "viewers/nibble/expr/node.h"

#include <stdlib.h>

struct dimension subject_dimension(const struct subject *s)
{
	if (s->metric)
		return dimension_of_unit(s->metric->value->unit);
	return s->interval ? DIMENSION_TIME : DIMENSION_NONE;
}

void node_free(struct node *n)
{
	if (!n)
		return;
	for (struct source_selection *s = n->source.selections, *next; s; s = next) {
		next = s->next;
		free(s->pattern);
		expr_free(s->condition);
		free(s);
	}
	node_free(n->left);
	node_free(n->right);
	free(n);
}
