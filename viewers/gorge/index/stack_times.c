#include "viewers/gorge/index/stack_times.h"
#include "base/array.h"
#include "trace/address.h"
#include "trace/symbols/callables.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct stack_times *stack_times_hold(struct stack_times *s)
{
	s->holders++;
	return s;
}

void stack_times_release(struct stack_times *s)
{
	if (!s || --s->holders)
		return;
	time_window_free(s->window);
	free(s->threads);
	generation_release(s->generation);
	free(s);
}

/* ---- depths ---- */

/* What less of a thread's time is not in has no part in what its stacks have in common. */
static const double nearly_all = 0.98;

/* Returns the depth that leaves no more of the time in deeper frames than nearly_all allows. */
static unsigned usual_depth(const struct flame *f, const struct flame_amounts *amounts,
			    const uint32_t *depths, unsigned deepest)
{
	int64_t *own = array_zero((size_t)deepest + 1, sizeof *own), deeper = 0;
	double most = (1 - nearly_all) * (double)amounts[0].total;

	for (uint32_t i = 1; i < f->nodes.n; i++)
		own[depths[i]] += amounts[i].self;
	while (deepest > 1 && (double)(deeper + own[deepest]) <= most)
		deeper += own[deepest--];
	free(own);
	return deepest;
}

/*
 * _start is linked into each program, and so are the templates of the C++ library; a name that is
 * none says nothing.
 */
static bool is_of_run_time(const struct flame_node *n)
{
	return module_is_of_run_time(n->origin) || strcmp(n->name, "_start") == 0 ||
	       callable_is_standard(n->origin, n->name);
}

/* Returns the row that says most; common: the last node that nearly all paths have. */
static unsigned telling_row(const struct flame *f, const struct flame_amounts *amounts,
			    uint32_t common, const struct stack_depth *d)
{
	int64_t own = 0;
	unsigned row = d->common;

	for (uint32_t i = 1; i < f->nodes.n; i++)
		if (f->nodes.at[i].parent == common && !is_of_run_time(&f->nodes.at[i]))
			own += amounts[i].total;
	if (2 * own > amounts[0].total)
		row = d->common + 1;
	else if (!common || is_of_run_time(&f->nodes.at[common]))
		row = d->first;
	return row > d->first ? row : d->first;
}

static struct stack_depth depth_of(const struct flame *f, const struct flame_amounts *amounts,
				   uint32_t *depths)
{
	struct stack_depth d = {.first = 1};
	uint32_t common = 0, half = 0;

	for (uint32_t i = 1; i < f->nodes.n; i++) {
		uint32_t parent = f->nodes.at[i].parent;
		double share = (double)amounts[i].total / fmax(1, (double)amounts[0].total);

		depths[i] = depths[parent] + 1;
		if (amounts[i].total && depths[i] > d.depth)
			d.depth = depths[i];
		if (parent == common && share >= nearly_all)
			common = i;
		/* what the libraries do before the program begins is not in it */
		if (parent == half && share > 0.5 && (!half || is_of_run_time(&f->nodes.at[half])))
			half = i;
	}
	d.common = depths[common];
	if (half && !is_of_run_time(&f->nodes.at[half]))
		d.first = depths[half];
	d.telling = telling_row(f, amounts, common, &d);
	d.usual = usual_depth(f, amounts, depths, d.depth);
	return d;
}

struct stack_depth *stack_depths_of(const struct trace *t, const struct time_window *w)
{
	const struct flame *f = time_window_flame(w, FLAME_CPU);
	struct stack_depth *depths = array_zero(t->nthreads, sizeof *depths);
	uint32_t *scratch = array_zero(f->nodes.n, sizeof *scratch);
	bool *one = array_zero(t->nthreads, sizeof *one);
	struct flame_part part = {INT64_MIN, INT64_MAX, one};

	for (unsigned i = 0; i < t->nthreads; i++) {
		struct flame_amounts *amounts;

		if (!time_window_sampled(w, i))
			continue;
		one[i] = true;
		amounts = time_window_amounts(w, FLAME_CPU, &part);
		one[i] = false;
		depths[i] = depth_of(f, amounts, scratch);
		free(amounts);
	}
	free(scratch);
	free(one);
	return depths;
}
