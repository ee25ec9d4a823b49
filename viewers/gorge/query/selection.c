#include "viewers/gorge/query/selection.h"
#include "base/monotonic.h"
#include "base/parallel.h"
#include <stdlib.h>

struct selection_counting {
	const struct duration_selection *selection;
	int64_t until;
	VECTOR(struct spans *) spans;
	atomic_bool late;
};

static void selection_add_spans(struct selection_counting *c, struct spans *s)
{
	if (!spans_selected(s, c->selection->least, c->selection->most))
		*vector_add(&c->spans) = s;
}

static void add_instances(struct selection_counting *c, struct instances *n)
{
	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			selection_add_spans(c, &n->within[t].rows.at[i]);
	for (size_t i = 0; i < n->across.n; i++)
		selection_add_spans(c, &n->across.at[i]);
}

static void count_spans(void *context, size_t i, unsigned worker)
{
	struct selection_counting *c = context;
	const struct duration_selection *s = c->selection;

	(void)worker;
	if (!spans_select(c->spans.at[i], s->least, s->most, c->until))
		c->late = true;
}

bool selection_count(const struct trace_index *t, const struct duration_selection *selection,
		     long milliseconds)
{
	const char *name = selection->interval;
	const struct interval *interval = name ? spec_interval(t->trace->spec, name) : NULL;
	struct instances *n = interval ? matcher_get(t->matcher, interval) : NULL;
	struct selection_counting c = {.selection = selection, .until = INT64_MAX};

	if (!n)
		return true;
	if (milliseconds >= 0)
		c.until = monotonic_now() + milliseconds * INT64_C(1000000);
	stacking_hold();
	add_instances(&c, n);
	parallel_for(c.spans.n, count_spans, &c);
	stacking_release();
	free(c.spans.at);
	return !c.late;
}
