#include "analysis/objects/lock_causes.h"
#include <stdlib.h>

/* Whether a cause ends with the end of a wait, and speaks of its object. */
static bool is_causes_wait(const struct role *cause, const struct lock_sources *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (!s->at[i].hold && s->at[i].role.end.event == cause->end.event &&
		    s->at[i].role.end.object == cause->end.object)
			return true;
	return false;
}

static uint32_t thread_index(const struct trace *t, const struct event *e)
{
	return (uint32_t)(trace_thread(t, e->thread) - t->threads);
}

/* What is found of a role. */
struct cause_adding {
	struct lock_causes *causes;
	struct lock_register *names;
	const struct role *role;
};

static void cause_add(void *context, const struct event *earlier, const struct event *later)
{
	const struct cause_adding *a = context;
	const struct trace *t = a->names->trace;

	*vector_add(&a->causes->all) = (struct lock_cause){
	    .release = *earlier,
	    .end = *later,
	    .holder = thread_index(t, earlier),
	    .waiter = thread_index(t, later),
	    .site = lock_register_site(a->names, &a->role->start, earlier),
	};
}

static int end_order(const void *a, const void *b)
{
	const struct lock_cause *x = a, *y = b;

	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	if (x->end.time != y->end.time)
		return x->end.time < y->end.time ? -1 : 1;
	/* of several causes of one wait the last one let it go on */
	return (x->release.time < y->release.time) - (x->release.time > y->release.time);
}

static int release_order(const void *a, const void *b, void *context)
{
	const struct lock_cause *all = context;
	const struct lock_cause *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];

	if (x->holder != y->holder)
		return x->holder < y->holder ? -1 : 1;
	return (x->release.time > y->release.time) - (x->release.time < y->release.time);
}

static void causes_sort(struct lock_causes *c, uint32_t nthreads)
{
	size_t n = c->all.n, at = 0, released = 0;

	if (n)
		qsort(c->all.at, n, sizeof *c->all.at, end_order);
	c->released = array_new(n + 1, sizeof *c->released);
	for (uint32_t i = 0; i < n; i++)
		c->released[i] = i;
	qsort_r(c->released, n, sizeof *c->released, release_order, c->all.at);
	c->first = array_new(nthreads + 1, sizeof *c->first);
	c->first_released = array_new(nthreads + 1, sizeof *c->first_released);
	for (uint32_t t = 0; t <= nthreads; t++) {
		while (at < n && c->all.at[at].waiter < t)
			at++;
		while (released < n && c->all.at[c->released[released]].holder < t)
			released++;
		c->first[t] = at;
		c->first_released[t] = released;
	}
}

void lock_causes_take(struct lock_causes *c, const struct cause_list *found, const struct lock_sources *s,
		      struct lock_register *r)
{
	*c = (struct lock_causes){0};
	for (unsigned i = 0; i < found->n; i++) {
		struct cause_adding adding = {c, r, &found->roles[i]};

		if (is_causes_wait(adding.role, s))
			cause_list_each(found, i, cause_add, &adding);
	}
	causes_sort(c, r->trace->nthreads);
}

void lock_causes_free(struct lock_causes *c)
{
	free(c->all.at);
	free(c->first);
	free(c->released);
	free(c->first_released);
}
