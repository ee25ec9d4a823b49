#include "analysis/calls/sample_times.h"
#include "base/array.h"
#include <stdlib.h>

static bool is_outermost(const struct call_tree *t, size_t i)
{
	for (uint32_t k = t->nodes[i].parent; k != NO_NODE && k != CALL_ROOT;
	     k = t->nodes[k].parent)
		if (t->nodes[k].function == t->nodes[i].function)
			return false;
	return true;
}

/*
 * Returns the samples of a node that share the running time. In imported profiles, samples outside
 * of all functions say that the thread did not run.
 */
static uint64_t samples_of_node(const struct call_tree *t, size_t i)
{
	return i == CALL_ROOT && !t->nodes[i].cpu.total ? 0 : t->nodes[i].samples;
}

void sample_times_share(struct call_tree *t)
{
	int64_t all = 0, given = 0, *more = array_zero(t->n, sizeof *more);
	uint64_t samples = 0, before = 0;

	for (size_t i = 0; i < t->n; i++) {
		all += t->nodes[i].cpu.total;
		samples += samples_of_node(t, i);
	}
	for (size_t i = 0; i < t->n && samples; i++) {
		struct call_node *n = &t->nodes[i];
		int64_t until;

		before += samples_of_node(t, i);
		until = (int64_t)((long double)all * (long double)before / (long double)samples);
		more[i] = until - given - n->cpu.total;
		given = until;
		n->cpu.total += more[i];
		n->own.total += more[i];
	}
	/* parents are before their children */
	for (size_t i = t->n; i-- > 1;) {
		struct call_node *n = &t->nodes[i];

		n->real.total += more[i];
		if (is_outermost(t, i))
			n->outermost += more[i];
		more[n->parent] += more[i];
	}
	free(more);
}
