#include "analysis/calls/call_totals.h"
#include "base/array.h"
#include <stdlib.h>

/* The tree of a thread, walked from parents to children. */
struct totals_walk {
	const struct call_tree *tree;
	struct call_total *below; /* by node: of it and all below it */
	uint32_t *first, *next;
	uint32_t *open;            /* by function: how many of its calls are on the path */
	struct call_total *totals; /* by function */
};

static void total_add(struct call_total *t, const struct call_total *other)
{
	t->cpu += other->cpu;
	t->samples += other->samples;
}

static void node_enter(struct totals_walk *w, uint32_t node)
{
	uint32_t function = w->tree->nodes[node].function;

	if (function != NO_FUNCTION && w->open[function]++ == 0)
		total_add(&w->totals[function], &w->below[node]);
}

/* Returns the node after those below a node that was entered; CALL_ROOT: there is none. */
static uint32_t node_leave(struct totals_walk *w, uint32_t node)
{
	while (node != CALL_ROOT) {
		uint32_t function = w->tree->nodes[node].function;

		if (function != NO_FUNCTION)
			w->open[function]--;
		if (w->next[node] != NO_NODE)
			return w->next[node];
		node = w->tree->nodes[node].parent;
	}
	return CALL_ROOT;
}

static void tree_walk(struct totals_walk *w)
{
	uint32_t node = w->first[CALL_ROOT] == NO_NODE ? CALL_ROOT : w->first[CALL_ROOT];

	while (node != CALL_ROOT) {
		node_enter(w, node);
		node = w->first[node] == NO_NODE ? node_leave(w, node) : w->first[node];
	}
}

static void tree_take(struct totals_walk *w, const struct call_tree *t)
{
	w->tree = t;
	w->below = array_new(t->n, sizeof *w->below);
	w->first = array_new(t->n, sizeof *w->first);
	w->next = array_new(t->n, sizeof *w->next);
	for (size_t i = 0; i < t->n; i++)
		w->below[i] = (struct call_total){t->nodes[i].cpu.total, t->nodes[i].samples};
	for (size_t i = t->n; i-- > 1;)
		total_add(&w->below[t->nodes[i].parent], &w->below[i]);
	call_tree_children(t, w->first, w->next);
	tree_walk(w);
	free(w->below);
	free(w->first);
	free(w->next);
}

struct call_total *call_totals(const struct calls *c)
{
	struct totals_walk w = {.totals = array_zero(c->nfunctions, sizeof *w.totals),
				.open = array_zero(c->nfunctions, sizeof *w.open)};

	for (unsigned i = 0; i < c->trace->nthreads; i++)
		tree_take(&w, &c->threads[i].tree);
	free(w.open);
	return w.totals;
}
