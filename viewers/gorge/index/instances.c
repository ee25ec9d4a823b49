#include "base/parallel.h"
#include "viewers/gorge/index/instances_sort.h"
#include <stdlib.h>

static void settle_within(void *context, size_t thread, unsigned worker)
{
	struct instances *n = context;

	(void)worker;
	for (size_t i = 0; i < n->within[thread].rows.n; i++)
		spans_finish(&n->within[thread].rows.at[i]);
}

static void settle_across(void *context, size_t i, unsigned worker)
{
	struct instances *n = context;

	(void)worker;
	spans_finish(&n->across.at[i]);
}

struct instances *instances_new(struct generation *a, const struct matches *m)
{
	struct instances *n = array_zero(1, sizeof *n);

	*n = (struct instances){
	    .holders = 1,
	    .interval = m->interval,
	    .generation = generation_hold(a),
	    .event_index = generation_index(a),
	    .anchors = m->count,
	    .matched = m->matched,
	    .faults = m->faults,
	    .nthreads = generation_trace(a)->nthreads,
	};
	n->within = array_zero(n->nthreads, sizeof *n->within);
	n->first_unmatched = array_zero(n->nthreads + 1, sizeof *n->first_unmatched);
	instances_sort(n, m);
	parallel_for(n->nthreads, settle_within, n);
	parallel_for(n->across.n, settle_across, n);
	return n;
}

struct instances *instances_hold(struct instances *n)
{
	if (n)
		n->holders++;
	return n;
}

void thread_spans_free(struct thread_spans *w)
{
	for (size_t i = 0; i < w->rows.n; i++)
		spans_free(&w->rows.at[i]);
	free(w->rows.at);
}

void instances_free(struct instances *n)
{
	if (!n || --n->holders)
		return;
	for (unsigned t = 0; t < n->nthreads; t++)
		thread_spans_free(&n->within[t]);
	for (size_t i = 0; i < n->across.n; i++)
		spans_free(&n->across.at[i]);
	free(n->within);
	free(n->across.at);
	free(n->unmatched);
	free(n->first_unmatched);
	generation_release(n->generation);
	free(n);
}

void instances_renew(struct instances *n, struct generation *a, const struct interval *interval)
{
	unsigned before = n->nthreads, now = generation_trace(a)->nthreads;
	struct generation *old = n->generation;

	n->interval = interval;
	n->generation = generation_hold(a);
	n->event_index = generation_index(a);
	generation_release(old);
	if (now == before)
		return;
	n->nthreads = now;
	n->within = array_resize(n->within, now, sizeof *n->within);
	n->first_unmatched = array_resize(n->first_unmatched, (size_t)now + 1, sizeof *n->first_unmatched);
	for (unsigned t = before; t < now; t++) {
		n->within[t] = (struct thread_spans){0};
		n->first_unmatched[t + 1] = n->first_unmatched[t];
	}
}

void instances_each(const struct instances *n, void (*visit)(void *context, const struct spans *s),
		    void *context)
{
	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			visit(context, &n->within[t].rows.at[i]);
	for (size_t i = 0; i < n->across.n; i++)
		visit(context, &n->across.at[i]);
}
