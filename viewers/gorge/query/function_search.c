/* Searches for functions by name: those that flame graphs are made of. */
#include "analysis/calls/calls.h"
#include "base/array.h"
#include "viewers/gorge/index/stack_times.h"
#include "viewers/gorge/query/search.h"
#include <stdlib.h>

/* Milliseconds that a search waits for the functions. */
enum { PATIENCE = 300 };

/* Returns whether a caller of a node has the node's name: then its time is in the caller's. */
static bool is_recursive(const struct flame *f, uint32_t node)
{
	for (uint32_t i = node; (i = f->nodes.at[i].parent) != 0;)
		if (f->nodes.at[i].name == f->nodes.at[node].name)
			return true;
	return false;
}

/* Adds a node's time to the thing of its function, which stands for the longest of its paths. */
static void add_node(struct text_search *s, size_t first, const struct flame *f, uint32_t node,
		     int64_t total, int64_t *longest)
{
	const char *name = f->nodes.at[node].name;
	size_t i = first;

	while (i < s->things.n && s->things.at[i].name != name)
		i++;
	if (i == s->things.n)
		search_add(s, &(struct found_thing){.kind = FOUND_FUNCTION,
						    .name = name,
						    .label = name,
						    .grade = search_grade(s->text, name),
						    .number = node});
	if (total > longest[s->things.at[i].number])
		s->things.at[i].number = node;
	longest[node] = total;
	if (!is_recursive(f, node))
		s->things.at[i].time += total;
}

static void add_functions(struct text_search *s, const struct time_window *window)
{
	struct flame_part all = {INT64_MIN, INT64_MAX, NULL};
	const struct flame *f = time_window_flame(window, FLAME_CPU);
	struct flame_amounts *amounts = time_window_amounts(window, FLAME_CPU, &all);
	int64_t *longest = array_zero(f->nodes.n + 1, sizeof *longest);
	size_t first = s->things.n;

	for (uint32_t i = 1; i < f->nodes.n; i++)
		if (f->nodes.at[i].kind == FRAME_CODE && search_grade(s->text, f->nodes.at[i].name))
			add_node(s, first, f, i, amounts[i].total, longest);
	free(longest);
	free(amounts);
}

void search_functions(struct text_search *s, struct trace_index *t)
{
	struct stack_times *times;
	bool pending = false;

	if (!trace_has_calls(t->trace))
		return;
	times = trace_index_stacks(t, PATIENCE, &pending);
	s->pending |= pending;
	if (times)
		add_functions(s, times->window);
	stack_times_release(times);
}
