#include "viewers/gorge/pyramid.h"
#include "viewers/gorge/layout.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pyramid {
	struct age *age;
	struct searcher *searcher;
	struct tiers *tiers;
	bool *tiers_chosen;	     /* by interval.index, as is */
	struct instances **tiers_of; /* what they were made of, or NULL */
	pthread_rwlock_t sheaves;    /* tiers part and join those within threads anew */
};

struct pyramid *pyramid_new(struct trace *t)
{
	struct age *age = age_new(t);
	struct pyramid *p = age ? zeroed(1, sizeof *p) : NULL;

	if (!p)
		return NULL;
	p->age = age;
	p->tiers_of = zeroed(t->spec->nintervals, sizeof *p->tiers_of);
	p->tiers_chosen = zeroed(t->spec->nintervals, sizeof *p->tiers_chosen);
	pthread_rwlock_init(&p->sheaves, NULL);
	p->searcher = searcher_new(age);
	return p;
}

void pyramid_free(struct pyramid *p)
{
	if (!p)
		return;
	tiers_free(p->tiers);
	free(p->tiers_chosen);
	free(p->tiers_of);
	searcher_free(p->searcher);
	pthread_rwlock_destroy(&p->sheaves);
	age_release(p->age);
	free(p);
}

struct age *pyramid_age(const struct pyramid *p)
{
	return p->age;
}

static void forget_tiers(struct pyramid *p)
{
	tiers_free(p->tiers);
	p->tiers = NULL;
}

void pyramid_grow(struct pyramid *p, struct age *a)
{
	if (age_trace(a)->nthreads != age_trace(p->age)->nthreads)
		forget_tiers(p);
	searcher_grow(p->searcher, a);
	age_release(p->age);
	p->age = a;
}

void pyramid_renew(struct pyramid *p)
{
	forget_tiers(p);
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

	pthread_rwlock_rdlock(&p->sheaves);
	return n;
}

void pyramid_used(struct pyramid *p)
{
	pthread_rwlock_unlock(&p->sheaves);
}

const struct tiers *pyramid_tiers(struct pyramid *p, const bool *chosen)
{
	const struct trace *trace = age_trace(p->age);
	unsigned n = trace->spec->nintervals, nkeys = 0;
	struct instances **now = zeroed(n, sizeof *now), **keys = zeroed(n, sizeof *keys);

	for (unsigned i = 0; i < n; i++)
		if (chosen[i])
			keys[nkeys++] = now[i] =
			    searcher_get(p->searcher, trace->spec->intervals[i]);
	if (p->tiers && !memcmp(chosen, p->tiers_chosen, n * sizeof *chosen) &&
	    !memcmp(now, p->tiers_of, n * sizeof *now)) {
		free(now);
		free(keys);
		return p->tiers;
	}
	memcpy(p->tiers_chosen, chosen, n * sizeof *chosen);
	free(p->tiers_of);
	p->tiers_of = now;
	tiers_free(p->tiers);
	pthread_rwlock_wrlock(&p->sheaves);
	p->tiers = tiers_new(age_census(p->age), density_for(trace->nthreads)->rows, keys, nkeys);
	pthread_rwlock_unlock(&p->sheaves);
	return p->tiers;
}
