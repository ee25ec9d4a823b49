#include "analysis/calls/call_table.h"
#include "base/array.h"
#include <stdlib.h>

/* ---- rows ---- */

static struct call_row *row_find(struct call_table *t, struct hash_table *places, size_t *room,
				 struct call_row key)
{
	/*
	 * the hash can be undone: with the function it tells the others; a thread has one process
	 */
	uint32_t group = key.thread == NO_THREAD_ROW ? key.process : key.thread;
	uint64_t others = (uint64_t)key.caller << 32 | group;
	struct hash_slot *slot =
	    hash_table_slot(places, hash_mix(others ^ hash_mix(key.function)), key.function);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)t->n;
		t->rows = vector_reserve(t->rows, t->n + 1, room, sizeof key);
		t->rows[t->n++] = key;
	}
	return &t->rows[slot->head];
}

static int row_compare(const void *left, const void *right)
{
	const struct call_row *a = left, *b = right;

	if (a->sum.cpu.total != b->sum.cpu.total)
		return a->sum.cpu.total > b->sum.cpu.total ? -1 : 1;
	if (a->sum.outermost != b->sum.outermost)
		return a->sum.outermost > b->sum.outermost ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->process > b->process) - (a->process < b->process);
}

static struct call_row row_key(const struct calls *c, unsigned thread, const struct call_node *n,
			       unsigned by)
{
	bool function = by & (CALLS_BY_FUNCTION | CALLS_BY_LINE);

	return (struct call_row){
	    .thread = by & CALLS_BY_THREAD ? thread : NO_THREAD_ROW,
	    .process = by & CALLS_BY_PROCESS ? c->trace->threads[thread].directory : NO_THREAD_ROW,
	    .function = function ? n->function : NO_FUNCTION,
	    .caller = by & CALLS_BY_CALLER ? n->caller : NO_FUNCTION,
	    .sum = {.real = call_times_none, .own = call_times_none, .cpu = call_times_none},
	};
}

static void row_add(struct call_row *row, const struct call_node *n, bool logged)
{
	call_node_merge(&row->sum, n);
	row->logged |= logged;
	row->logged_cpu += logged ? n->cpu.total : 0;
}

void call_table_make(struct call_table *t, const struct calls *c, unsigned by)
{
	struct hash_table places = {0};
	size_t room = 0;

	*t = (struct call_table){0};
	for (unsigned i = 0; i < c->trace->nthreads; i++) {
		const struct call_tree *tree = &c->threads[i].tree;

		for (size_t k = 0; k < tree->n; k++) {
			const struct call_node *n = &tree->nodes[k];

			if (n->calls)
				row_add(row_find(t, &places, &room, row_key(c, i, n, by)), n,
					!c->threads[i].sampled);
		}
	}
	hash_table_free(&places);
	if (t->n)
		qsort(t->rows, t->n, sizeof *t->rows, row_compare);
}

void call_table_free(struct call_table *t)
{
	free(t->rows);
	*t = (struct call_table){0};
}

/* ---- cycles: the strongly connected components of the graph of calls, by Tarjan ---- */

struct component_search {
	const struct call_table *edges; /* in the order of callers */
	size_t *first;                  /* by function: its first edge; and one more */
	size_t *next;                   /* by function: the edge to look at next */
	uint32_t *order, *low;          /* when it was found; 0: not yet */
	uint32_t *path;                 /* from where it was reached */
	uint32_t *stack;
	bool *stacked;
	size_t nstack;
	uint32_t found;
	unsigned *cycle, ncycles;
};

static int caller_compare(const void *left, const void *right)
{
	const struct call_row *a = left, *b = right;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

static void function_reach(struct component_search *s, uint32_t f, uint32_t from)
{
	s->order[f] = s->low[f] = ++s->found;
	s->next[f] = s->first[f];
	s->path[f] = from;
	s->stack[s->nstack++] = f;
	s->stacked[f] = true;
}

static bool calls_itself(const struct component_search *s, uint32_t f)
{
	for (size_t i = s->first[f]; i < s->first[f + 1]; i++)
		if (s->edges->rows[i].function == f)
			return true;
	return false;
}

/* All that a function reaches is looked at: if it is the first of a component, that is complete. */
static void component_end(struct component_search *s, uint32_t f)
{
	bool cycle = s->stack[s->nstack - 1] != f || calls_itself(s, f);
	uint32_t member;

	s->ncycles += cycle;
	do {
		member = s->stack[--s->nstack];
		s->stacked[member] = false;
		s->cycle[member] = cycle ? s->ncycles : 0;
	} while (member != f);
}

static void search_from(struct component_search *s, uint32_t f)
{
	function_reach(s, f, NO_FUNCTION);
	while (f != NO_FUNCTION) {
		uint32_t back = s->path[f];

		if (s->next[f] < s->first[f + 1]) {
			uint32_t to = s->edges->rows[s->next[f]++].function;

			if (!s->order[to]) {
				function_reach(s, to, f);
				f = to;
			} else if (s->stacked[to] && s->order[to] < s->low[f]) {
				s->low[f] = s->order[to];
			}
			continue;
		}
		if (s->low[f] == s->order[f])
			component_end(s, f);
		if (back != NO_FUNCTION && s->low[f] < s->low[back])
			s->low[back] = s->low[f];
		f = back;
	}
}

unsigned *call_cycles(const struct calls *c, unsigned *ncycles)
{
	size_t n = c->nfunctions, at = 0;
	struct call_table edges;
	struct component_search s = {.edges = &edges};

	call_table_make(&edges, c, CALLS_BY_FUNCTION | CALLS_BY_CALLER);
	if (edges.n)
		qsort(edges.rows, edges.n, sizeof *edges.rows, caller_compare);
	s.first = array_zero(n + 1, sizeof *s.first);
	for (size_t f = 0; f <= n; f++) {
		while (at < edges.n && edges.rows[at].caller < f)
			at++;
		s.first[f] = at;
	}
	s.next = array_zero(n, sizeof *s.next);
	s.order = array_zero(n, sizeof *s.order);
	s.low = array_zero(n, sizeof *s.low);
	s.path = array_zero(n, sizeof *s.path);
	s.stack = array_zero(n, sizeof *s.stack);
	s.stacked = array_zero(n, sizeof *s.stacked);
	s.cycle = array_zero(n, sizeof *s.cycle);
	for (uint32_t f = 0; f < n; f++)
		if (!s.order[f])
			search_from(&s, f);
	call_table_free(&edges);
	free(s.first);
	free(s.next);
	free(s.order);
	free(s.low);
	free(s.path);
	free(s.stack);
	free(s.stacked);
	*ncycles = s.ncycles;
	return s.cycle;
}
