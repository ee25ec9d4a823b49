#include "viewers/gorge/query/selection.h"
#include "base/monotonic.h"
#include "base/parallel.h"
#include "viewers/gorge/index/trace_index.h"
#include <stdatomic.h>
#include <stdlib.h>

struct counting {
	const struct pick *pick;
	int64_t until;
	VECTOR(struct sheaf *) sheaves;
	atomic_bool late;
};

static void add(struct counting *c, struct sheaf *s)
{
	if (!sheaf_is_picked(s, c->pick->least, c->pick->most))
		*vector_add(&c->sheaves) = s;
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
	if (!sheaf_pick(c->sheaves.at[i], c->pick->least, c->pick->most, c->until))
		c->late = true;
}

static bool count_all(struct instances *n, const struct pick *pick, int64_t until)
{
	struct counting c = {.pick = pick, .until = until};

	stacks_hold();
	add_all(&c, n);
	parallel_for(c.sheaves.n, count, &c);
	stacks_release();
	free(c.sheaves.at);
	return !c.late;
}

bool picks_count(struct model *m, const struct pick *pick, long milliseconds)
{
	const struct interval *interval = pick->interval ? spec_interval(m->trace->spec, pick->interval) : NULL;
	struct instances *n = interval ? searcher_get(pyramid_searcher(m->pyramid), interval) : NULL;

	return !n || count_all(n, pick,
			       milliseconds < 0
				   ? INT64_MAX
				   : monotonic_now() + milliseconds * INT64_C(1000000));
}
