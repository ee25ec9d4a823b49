#include "analysis/objects/lock_causes.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdlib.h>
#include <string.h>

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

/* Of those of one waiter. */
static int end_order(const void *a, const void *b)
{
	const struct lock_cause *x = a, *y = b;

	if (x->end.time != y->end.time)
		return x->end.time < y->end.time ? -1 : 1;
	/* of several causes of one wait the last one let it go on */
	return (x->release.time < y->release.time) - (x->release.time > y->release.time);
}

struct released {
	int64_t time;
	uint32_t cause;
};

static int release_order(const void *a, const void *b)
{
	const struct released *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->cause > y->cause) - (x->cause < y->cause);
}

/* Most come in order. */
static void sort_if_needed(void *items, size_t n, size_t size, int (*order)(const void *, const void *))
{
	const char *at = items;

	for (size_t i = 1; i < n; i++)
		if (order(at + (i - 1) * size, at + i * size) > 0) {
			qsort(items, n, size, order);
			return;
		}
}

/* Where each thread's causes begin, by its number in them; and one more. */
static size_t *firsts_of(const struct lock_causes *c, uint32_t nthreads, bool by_holder)
{
	size_t *first = array_zero(nthreads + 1, sizeof *first);

	for (size_t i = 0; i < c->all.n; i++)
		first[(by_holder ? c->all.at[i].holder : c->all.at[i].waiter) + 1]++;
	for (uint32_t t = 0; t < nthreads; t++)
		first[t + 1] += first[t];
	return first;
}

struct sorting {
	struct lock_causes *causes;
	struct released *released;
};

static void waiter_sort(void *context, size_t thread, unsigned worker)
{
	struct lock_causes *c = ((struct sorting *)context)->causes;
	size_t first = c->first[thread], n = c->first[thread + 1] - first;

	(void)worker;
	sort_if_needed(c->all.at + first, n, sizeof *c->all.at, end_order);
}

static void holder_sort(void *context, size_t thread, unsigned worker)
{
	const struct sorting *s = context;
	struct lock_causes *c = s->causes;
	size_t first = c->first_released[thread], last = c->first_released[thread + 1];

	(void)worker;
	sort_if_needed(s->released + first, last - first, sizeof *s->released, release_order);
	for (size_t i = first; i < last; i++)
		c->released[i] = s->released[i].cause;
}

/* Parts them by threads, as they come, and sorts those of each. */
static void causes_sort(struct lock_causes *c, uint32_t nthreads)
{
	struct lock_cause *all = array_new(c->all.n, sizeof *all);
	size_t *next = array_new(nthreads + 1, sizeof *next);
	struct sorting s = {c, array_new(c->all.n, sizeof *s.released)};

	c->first = firsts_of(c, nthreads, false);
	c->first_released = firsts_of(c, nthreads, true);
	c->released = array_new(c->all.n + 1, sizeof *c->released);
	memcpy(next, c->first, (nthreads + 1) * sizeof *next);
	for (size_t i = 0; i < c->all.n; i++)
		all[next[c->all.at[i].waiter]++] = c->all.at[i];
	free(c->all.at);
	c->all.at = all;
	c->all.room = c->all.n;
	parallel_for(nthreads, waiter_sort, &s);
	memcpy(next, c->first_released, (nthreads + 1) * sizeof *next);
	for (uint32_t i = 0; i < c->all.n; i++)
		s.released[next[all[i].holder]++] = (struct released){all[i].release.time, i};
	parallel_for(nthreads, holder_sort, &s);
	free(s.released);
	free(next);
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
