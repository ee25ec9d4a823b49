#include "analysis/why/culprits.h"
#include "base/parallel.h"
#include "base/search.h"
#include "trace/address.h"
#include <stdlib.h>

/* A wait that no hold is to blame for: who let it go on was somewhere else in the program. */
struct unblamed {
	uint32_t blocker;
	int64_t until;
	int64_t *blame;
};

struct culprit_search {
	struct evidence *evidence;
	VECTOR(struct unblamed) waits; /* by blocker, then time */
};

/* How many holds before the cause are looked at for the one that it ended. */
enum { LOOKED_AT = 16 };

static int64_t hold_site(const struct evidence *g, const struct wait_fact *fact, int64_t from,
			 int64_t object)
{
	const span_vector *holds = instance_spans(g->set, SPANS_HOLD, fact->blocker);
	size_t next = lower_bound(i, 0, holds->n, holds->at[i].start <= fact->blocked_until);

	for (size_t i = next; i-- > 0 && i + LOOKED_AT >= next;) {
		const struct span_class *p = place_class(g, holds->at[i].class);

		if (p->object == object && holds->at[i].end >= from)
			return p->site;
	}
	return NO_KEY;
}

static void thread_blame(void *context, size_t thread, unsigned worker)
{
	struct evidence *g = context;
	const span_vector *spans = instance_spans(g->set, SPANS_WAIT, (uint32_t)thread);

	(void)worker;
	for (size_t i = 0; i < spans->n; i++) {
		struct wait_fact *fact = &g->waits[thread][i];
		int64_t object = place_class(g, spans->at[i].class)->object;

		if (fact->blocker != NO_THREAD && object != NO_KEY)
			fact->blame = hold_site(g, fact, spans->at[i].start, object);
	}
}

static int by_blocker(const void *a, const void *b)
{
	const struct unblamed *x = a, *y = b;

	if (x->blocker != y->blocker)
		return x->blocker < y->blocker ? -1 : 1;
	return (x->until > y->until) - (x->until < y->until);
}

static void unblamed_collect(struct culprit_search *b)
{
	struct evidence *g = b->evidence;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		for (size_t i = 0; i < instance_spans(g->set, SPANS_WAIT, t)->n; i++) {
			struct wait_fact *fact = &g->waits[t][i];

			if (fact->blocker != NO_THREAD && fact->blame == NO_KEY)
				*vector_add(&b->waits) = (struct unblamed){
				    fact->blocker, fact->blocked_until, &fact->blame};
		}
	if (b->waits.n)
		qsort(b->waits.at, b->waits.n, sizeof *b->waits.at, by_blocker);
}

/* Where the cause is, is where the blame is. */
static void cause_blame(struct culprit_search *b, const struct event *cause, int64_t site)
{
	struct unblamed key = {(uint32_t)(trace_thread(b->evidence->trace, cause->thread) -
					  b->evidence->trace->threads),
			       cause->time, NULL};
	size_t i = lower_bound(k, 0, b->waits.n, by_blocker(&b->waits.at[k], &key) < 0);

	for (; i < b->waits.n && by_blocker(&b->waits.at[i], &key) == 0; i++)
		if (*b->waits.at[i].blame == NO_KEY)
			*b->waits.at[i].blame = site;
}

struct cause_site {
	struct culprit_search *blaming;
	int attribute;
};

static void cause_take(void *context, const struct event *earlier, const struct event *later)
{
	const struct cause_site *c = context;

	(void)later;
	cause_blame(c->blaming, earlier,
		    address_key(c->blaming->evidence->trace, earlier, (unsigned)c->attribute));
}

void culprits_set(struct evidence *g)
{
	const struct cause_list *causes = &g->set->causes;
	struct culprit_search b = {.evidence = g};

	parallel_for(g->trace->nthreads, thread_blame, g);
	unblamed_collect(&b);
	for (unsigned i = 0; b.waits.n && i < causes->n; i++) {
		struct cause_site site = {&b, causes->roles[i].start.code[0]};

		if (site.attribute >= 0)
			cause_list_each(causes, i, cause_take, &site);
	}
	free(b.waits.at);
}
