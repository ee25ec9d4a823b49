#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/index/stack_times.h"
#include "viewers/thread_places.h"
#include <stdlib.h>

static struct trace_index *index_of(struct generation *g, struct matcher *before)
{
	struct trace_index *t = array_zero(1, sizeof *t);

	t->holders = 1;
	t->trace = generation_trace(g);
	t->events = generation_index(g);
	t->generation = g;
	t->places = thread_places(t->trace);
	t->matcher = matcher_new(g, before);
	t->matches = array_zero(t->trace->spec->nintervals, sizeof *t->matches);
	return t;
}

struct trace_index *trace_index_new(struct trace *trace, struct diag *diag)
{
	struct generation *g = generation_new(trace);

	if (g)
		return index_of(g, NULL);
	trace_close(trace);
	diag_error(diag, DIAG_NOWHERE, "the log of a thread has 16 GiB or more, which is more than "
		   "gorge can show");
	return NULL;
}

struct trace_index *trace_index_respecify(struct trace_index *t, struct spec *spec)
{
	struct generation *g = generation_respecify(t->generation, spec);

	return g ? index_of(g, t->matcher) : NULL;
}

struct trace_index *trace_index_logical(struct trace_index *t)
{
	struct generation *g;
	struct trace_index *made;

	matcher_lend(t->matcher);
	matcher_lock(t->matcher);
	g = generation_logical(t->generation);
	matcher_unlock(t->matcher);
	made = index_of(g, NULL);
	matcher_join(made->matcher, t->matcher);
	return made;
}

struct trace_index *trace_index_hold(struct trace_index *t)
{
	t->holders++;
	return t;
}

static void forget_matches(struct trace_index *t)
{
	for (unsigned i = 0; i < t->trace->spec->nintervals; i++) {
		matches_free(t->matches[i]);
		t->matches[i] = NULL;
	}
}

void trace_index_free(struct trace_index *t)
{
	if (!t || --t->holders)
		return;
	trace_index_forget_objects(t);
	trace_index_forget_stacks(t);
	forget_matches(t);
	free(t->matches);
	free(t->places);
	matcher_free(t->matcher);
	generation_release(t->generation);
	free(t);
}

void trace_index_grow(struct trace_index *t, struct generation *g)
{
	trace_index_forget_objects(t);
	forget_matches(t);
	matcher_grow(t->matcher, g);
	generation_release(t->generation);
	t->generation = g;
	t->trace = generation_trace(g);
	t->events = generation_index(g);
	free(t->places);
	t->places = thread_places(t->trace);
}

void trace_index_renew(struct trace_index *t)
{
	trace_index_forget_objects(t);
	forget_matches(t);
	matcher_renew(t->matcher);
}

struct instances *trace_index_use(const struct trace_index *t, const struct interval *interval)
{
	struct instances *n = matcher_await(t->matcher, interval);

	stacking_hold();
	return n;
}

void trace_index_used(void)
{
	stacking_release();
}

const struct matches *trace_index_matches(struct trace_index *t, const struct interval *interval)
{
	struct matches **found = &t->matches[interval->index];

	matcher_lend(t->matcher);
	matcher_lock(t->matcher);
	if (!*found)
		*found = match_interval(t->trace, interval);
	matcher_unlock(t->matcher);
	return *found;
}

struct span_rows *trace_index_rows(const struct trace_index *t, const bool *chosen)
{
	unsigned n = t->trace->spec->nintervals, nkeys = 0;
	struct instances **keys = array_zero(n, sizeof *keys);

	for (unsigned i = 0; i < n; i++)
		if (chosen[i])
			keys[nkeys++] = matcher_get(t->matcher, t->trace->spec->intervals[i]);
	return span_rows_new(t->trace, keys, nkeys);
}
