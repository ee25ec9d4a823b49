/* In a document there is one thread: intervals are looked for when they are asked for. */
#include "viewers/gorge/index/matcher.h"
#include "viewers/gorge/index/stacking.h"
#include <stdlib.h>

struct searcher {
	struct age *age;
	struct instances **found; /* by interval.index; NULL: not yet */
};

struct searcher *searcher_new(struct age *a, struct searcher *before)
{
	struct searcher *s = array_zero(1, sizeof *s);

	(void)before;
	*s = (struct searcher){age_hold(a),
			       array_zero(age_trace(a)->spec->nintervals, sizeof *s->found)};
	return s;
}

void searcher_begin(struct searcher *s)
{
	(void)s;
}

void searcher_free(struct searcher *s)
{
	for (unsigned i = 0; i < age_trace(s->age)->spec->nintervals; i++)
		instances_free(s->found[i]);
	age_release(s->age);
	free(s->found);
	free(s);
}

/* What a document has does not grow. */
void searcher_grow(struct searcher *s, struct age *a)
{
	(void)s, (void)a;
}

void searcher_renew(struct searcher *s)
{
	(void)s;
}

struct searcher_age searcher_age(struct searcher *s)
{
	(void)s;
	return (struct searcher_age){0};
}

struct instances *searcher_get(struct searcher *s, const struct interval *interval)
{
	struct instances **found = &s->found[interval->index];

	if (!*found)
		*found = search_interval(s->age, interval);
	return *found;
}

struct instances *searcher_await(struct searcher *s, const struct interval *interval)
{
	return searcher_get(s, interval);
}

unsigned searcher_wait(struct searcher *s, const bool *intervals, long milliseconds)
{
	(void)s, (void)intervals, (void)milliseconds;
	return 0;
}

/* What is shown is there at once. */
void searcher_show(struct searcher *s, const bool *intervals, long milliseconds)
{
	const struct spec *spec = age_trace(s->age)->spec;
	struct instances **set = array_zero(spec->nintervals, sizeof *set);
	unsigned n = 0;

	(void)milliseconds;
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (intervals[i])
			set[n++] = searcher_get(s, spec->intervals[i]);
	stacks_make(age_census(s->age), set, n);
	free(set);
}

bool searcher_seeks(struct searcher *s, const struct interval *interval)
{
	(void)s, (void)interval;
	return false;
}

void searcher_lend(struct searcher *s)
{
	(void)s;
}

void searcher_lock(struct searcher *s)
{
	(void)s;
}

void searcher_unlock(struct searcher *s)
{
	(void)s;
}
