#include "base/parallel.h"
#include "viewers/gorge/index/instances_sort.h"
#include <stdlib.h>

static void settle_within(void *context, size_t thread, unsigned worker)
{
	struct instances *n = context;

	(void)worker;
	for (size_t i = 0; i < n->within[thread].rows.n; i++)
		sheaf_end(&n->within[thread].rows.at[i]);
}

static void settle_across(void *context, size_t i, unsigned worker)
{
	struct instances *n = context;

	(void)worker;
	sheaf_end(&n->across.at[i]);
}

struct instances *instances_new(struct age *a, const struct matches *m)
{
	struct instances *n = array_zero(1, sizeof *n);

	*n = (struct instances){
	    .holders = 1,
	    .interval = m->interval,
	    .age = age_hold(a),
	    .census = age_census(a),
	    .anchors = m->count,
	    .matched = m->matched,
	    .faults = m->faults,
	    .nthreads = age_trace(a)->nthreads,
	};
	n->within = array_zero(n->nthreads, sizeof *n->within);
	n->first_alone = array_zero(n->nthreads + 1, sizeof *n->first_alone);
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

void within_free(struct within *w)
{
	for (size_t i = 0; i < w->rows.n; i++)
		sheaf_free(&w->rows.at[i]);
	free(w->rows.at);
}

void instances_free(struct instances *n)
{
	if (!n || --n->holders)
		return;
	for (unsigned t = 0; t < n->nthreads; t++)
		within_free(&n->within[t]);
	for (size_t i = 0; i < n->across.n; i++)
		sheaf_free(&n->across.at[i]);
	free(n->within);
	free(n->across.at);
	free(n->alone);
	free(n->first_alone);
	age_release(n->age);
	free(n);
}

void instances_renew(struct instances *n, struct age *a, const struct interval *interval)
{
	unsigned before = n->nthreads, now = age_trace(a)->nthreads;
	struct age *old = n->age;

	n->interval = interval;
	n->age = age_hold(a);
	n->census = age_census(a);
	age_release(old);
	if (now == before)
		return;
	n->nthreads = now;
	n->within = array_resize(n->within, now, sizeof *n->within);
	n->first_alone = array_resize(n->first_alone, (size_t)now + 1, sizeof *n->first_alone);
	for (unsigned t = before; t < now; t++) {
		n->within[t] = (struct within){0};
		n->first_alone[t + 1] = n->first_alone[t];
	}
}

void instances_each(const struct instances *n, void (*visit)(void *context, const struct sheaf *s),
		    void *context)
{
	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			visit(context, &n->within[t].rows.at[i]);
	for (size_t i = 0; i < n->across.n; i++)
		visit(context, &n->across.at[i]);
}
