#include "match/comparisons/queries.h"
#include "base/array.h"
#include "base/spill.h"
#include <stdlib.h>

void queries_init(struct queries *q, struct max_tree *tree, size_t n,
		  const struct query_hooks *hooks, void *context)
{
	*q = (struct queries){
	    .tree = tree,
	    .hooks = hooks,
	    .context = context,
	    .rows = spill_new(n, sizeof *q->rows),
	    .from = spill_new(n, sizeof *q->from),
	    .to = spill_new(n, sizeof *q->to),
	};
	if (!tree->take)
		return;
	q->taken = array_zero(tree->n / 64 + 1, sizeof *q->taken);
	for (size_t i = 0; i < tree->n; i++)
		if (max_tree_is_taken(tree, i))
			queries_take(q, queries_position(q, i));
}

void queries_clear(struct queries *q)
{
	spill_free(q->rows);
	spill_free(q->from);
	spill_free(q->to);
	free(q->taken);
}

void queries_add(struct queries *q, uint32_t row, const uint64_t *words, size_t at)
{
	bool last = q->tree->last;
	size_t from = last ? 0 : at, to = last ? at : q->tree->n;

	max_tree_narrow(q->tree, &from, &to, words);
	if (from >= to)
		return;
	q->rows[q->n] = row;
	q->from[q->n] = queries_position(q, last ? to - 1 : from);
	q->to[q->n++] = queries_position(q, last ? from : to - 1) + 1;
}
