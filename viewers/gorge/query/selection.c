#include "viewers/gorge/query/selection.h"
#include "base/monotonic.h"
#include "base/parallel.h"
#include "viewers/gorge/index/trace_index.h"
#include <stdatomic.h>
#include <stdlib.h>

struct counting {
	const struct pick *pick;
	int64_t until;
	VECTOR(struct spans *) all_spans;
	atomic_bool late;
};

static void add(struct counting *c, struct spans *s)
{
	if (!spans_selected(s, c->pick->least, c->pick->most))
		*vector_add(&c->all_spans) = s;
}

static void add_all(struct counting *c, struct instances *n)
{
	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			add(c, &n->within[t].rows.at[i]);
	for (size_t i = 0; i < n->across.n; i++)
		add(c, &n->across.at[i]);
}

static void count(void *context, size_t i, unsigned worker)
{
	struct counting *c = context;

	(void)worker;
	if (!spans_select(c->all_spans.at[i], c->pick->least, c->pick->most, c->until))
		c->late = true;
}

static bool count_all(struct instances *n, const struct pick *pick, int64_t until)
{
	struct counting c = {.pick = pick, .until = until};

	stacking_hold();
	add_all(&c, n);
	parallel_for(c.all_spans.n, count, &c);
	stacking_release();
	free(c.all_spans.at);
	return !c.late;
}

bool selection_count(struct trace_index *m, const struct pick *pick, long milliseconds)
{
	const struct interval *interval = pick->interval ? spec_interval(m->trace->spec, pick->interval) : NULL;
	struct instances *n = interval ? matcher_get(m->matcher, interval) : NULL;

	return !n || count_all(n, pick,
			       milliseconds < 0
				   ? INT64_MAX
				   : monotonic_now() + milliseconds * INT64_C(1000000));
}
