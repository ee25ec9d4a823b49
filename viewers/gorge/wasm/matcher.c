/* In an html document there is one thread: intervals are found when they are asked for. */
#include "base/array.h"
#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/index/stacking.h"
#include "viewers/gorge/wasm/found.h"
#include "viewers/gorge/wasm/stored.h"
#include <stdlib.h>

struct matcher {
	struct generation *generation;
	struct instances **found; /* by interval.index; NULL: not yet */
};

struct matcher *matcher_new(struct generation *a, struct matcher *before)
{
	struct matcher *s = array_zero(1, sizeof *s);

	(void)before;
	*s = (struct matcher){generation_hold(a),
			      array_zero(generation_trace(a)->spec->nintervals, sizeof *s->found)};
	return s;
}

void matcher_begin(struct matcher *s)
{
	(void)s;
}

void matcher_join(struct matcher *s, struct matcher *with)
{
	(void)s, (void)with;
}

void matcher_free(struct matcher *s)
{
	for (unsigned i = 0; i < generation_trace(s->generation)->spec->nintervals; i++)
		instances_free(s->found[i]);
	generation_release(s->generation);
	free(s->found);
	free(s);
}

/* Does nothing, as a document does not grow. */
void matcher_grow(struct matcher *s, struct generation *a)
{
	(void)s, (void)a;
}

void matcher_renew(struct matcher *s)
{
	(void)s;
}

struct matcher_state matcher_state(struct matcher *s)
{
	(void)s;
	return (struct matcher_state){0};
}

struct instances *matcher_get(struct matcher *s, const struct interval *interval)
{
	struct instances **found = &s->found[interval->index];

	if (!*found)
		*found = instances_new(s->generation, interval);
	return *found;
}

struct instances *matcher_await(struct matcher *s, const struct interval *interval)
{
	return matcher_get(s, interval);
}

unsigned matcher_wait(struct matcher *s, const bool *intervals, long milliseconds)
{
	(void)s, (void)intervals, (void)milliseconds;
	return 0;
}

void matcher_show(struct matcher *s, const bool *intervals, long milliseconds)
{
	const struct spec *spec = generation_trace(s->generation)->spec;
	struct instances **set = array_zero(spec->nintervals, sizeof *set);
	unsigned n = 0;

	(void)milliseconds;
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (intervals[i])
			set[n++] = matcher_get(s, spec->intervals[i]);
	stacking_make(generation_index(s->generation), set, n);
	free(set);
}

bool matcher_seeks(struct matcher *s, const struct interval *interval)
{
	(void)s, (void)interval;
	return false;
}

void matcher_lend(struct matcher *s)
{
	(void)s;
}

void matcher_lock(struct matcher *s)
{
	(void)s;
}

void matcher_unlock(struct matcher *s)
{
	(void)s;
}

/* ---- objects ---- */

struct object_finder {
	struct object_index *found;
};

struct object_index *trace_index_objects(struct trace_index *t, long patience)
{
	(void)patience;
	if (!t->objects) {
		t->objects = array_zero(1, sizeof *t->objects);
		t->objects->found = object_index_new(t, NULL);
	}
	return t->objects->found;
}

void trace_index_forget_objects(struct trace_index *t)
{
	if (t->objects)
		object_index_free(t->objects->found);
	free(t->objects);
	t->objects = NULL;
}

/* ---- stacks: of the definitions that the document was written with ---- */

struct stack_finder {
	struct stack_times times; /* this is one of its holders, so that nobody frees it */
};

void trace_index_forget_stacks(struct trace_index *t)
{
	free(t->stacks);
	t->stacks = NULL;
}

struct stack_times *trace_index_stacks(struct trace_index *t, long patience, bool *pending)
{
	const struct stored_results *found = ((const struct stored *)t->trace)->found;

	(void)patience;
	if (pending)
		*pending = false;
	if (!found)
		return NULL;
	if (!t->stacks) {
		t->stacks = array_zero(1, sizeof *t->stacks);
		t->stacks->times =
		    (struct stack_times){1, t->generation, found->times, found->depths};
	}
	return stack_times_hold(&t->stacks->times);
}
