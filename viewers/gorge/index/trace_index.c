#include "viewers/gorge/index/trace_index.h"
#include <stdlib.h>

struct pyramid {
	struct age *age;
	struct searcher *searcher;
};

static struct pyramid *pyramid_of(struct age *a, struct searcher *before)
{
	struct pyramid *p = a ? array_zero(1, sizeof *p) : NULL;

	if (p)
		*p = (struct pyramid){a, searcher_new(a, before)};
	return p;
}

struct pyramid *pyramid_new(struct trace *t)
{
	return pyramid_of(age_new(t), NULL);
}

struct pyramid *pyramid_retell(struct pyramid *p, struct age *a)
{
	return pyramid_of(a, p->searcher);
}

void pyramid_free(struct pyramid *p)
{
	if (!p)
		return;
	searcher_free(p->searcher);
	age_release(p->age);
	free(p);
}

struct age *pyramid_age(const struct pyramid *p)
{
	return p->age;
}

void pyramid_grow(struct pyramid *p, struct age *a)
{
	searcher_grow(p->searcher, a);
	age_release(p->age);
	p->age = a;
}

void pyramid_renew(struct pyramid *p)
{
	searcher_renew(p->searcher);
}

struct searcher *pyramid_searcher(const struct pyramid *p)
{
	return p->searcher;
}

const struct census *pyramid_census(const struct pyramid *p)
{
	return age_census(p->age);
}

void pyramid_lock(struct pyramid *p)
{
	searcher_lend(p->searcher);
	searcher_lock(p->searcher);
}

void pyramid_unlock(struct pyramid *p)
{
	searcher_unlock(p->searcher);
}

struct instances *pyramid_use(struct pyramid *p, const struct interval *interval)
{
	struct instances *n = searcher_await(p->searcher, interval);

	stacks_hold();
	return n;
}

void pyramid_used(struct pyramid *p)
{
	(void)p;
	stacks_release();
}

struct tiers *pyramid_tiers(struct pyramid *p, const bool *chosen)
{
	const struct trace *trace = age_trace(p->age);
	unsigned n = trace->spec->nintervals, nkeys = 0;
	struct instances **keys = array_zero(n, sizeof *keys);

	for (unsigned i = 0; i < n; i++)
		if (chosen[i])
			keys[nkeys++] = searcher_get(p->searcher, trace->spec->intervals[i]);
	return tiers_new(trace, keys, nkeys);
}
