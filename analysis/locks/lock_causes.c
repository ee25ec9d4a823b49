#include "analysis/locks/lock_causes.h"
#include "base/array.h"
#include "base/parallel.h"
#include "match/join/match.h"
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

/* The causes of a role are taken in parts at the same time; each part has its own counts. */
struct cause_part {
	uint32_t role;
	size_t from, to;           /* in the matches */
	size_t *waiters, *holders; /* by thread: how many; then where the next one goes */
};
enum { PARTS_PER_WORKER = 4 };

struct lock_causes_context {
	struct lock_causes *causes;
	const struct trace *trace;
	VECTOR(struct cause_part) parts;
};

/* Looks at an instance; returns whether there is one. */
static bool cause_look(const struct cause_list *c, uint32_t role, size_t i, struct event *earlier,
		       struct event *later)
{
	const struct matches *m = c->matches[role];
	bool forwards = c->roles[role].start.side == SIDE_ANCHOR;

	if (m->partner_of[i] == UNMATCHED)
		return false;
	moments_look(&m->anchors, i, forwards ? earlier : later);
	moments_look(&m->partners, m->partner_of[i], forwards ? later : earlier);
	return true;
}

static void part_count(void *context, size_t number, unsigned worker)
{
	const struct lock_causes_context *x = context;
	struct cause_part *p = &x->parts.at[number];
	struct event earlier, later;

	(void)worker;
	p->waiters = array_zero(x->trace->nthreads, sizeof *p->waiters);
	p->holders = array_zero(x->trace->nthreads, sizeof *p->holders);
	for (size_t i = p->from; i < p->to; i++)
		if (cause_look(x->causes->list, p->role, i, &earlier, &later)) {
			p->waiters[trace_thread_index(x->trace, later.thread)]++;
			p->holders[trace_thread_index(x->trace, earlier.thread)]++;
		}
}

static void part_take(void *context, size_t number, unsigned worker)
{
	const struct lock_causes_context *x = context;
	struct cause_part *p = &x->parts.at[number];
	struct event earlier, later;

	(void)worker;
	for (size_t i = p->from; i < p->to; i++) {
		if (!cause_look(x->causes->list, p->role, i, &earlier, &later))
			continue;
		x->causes->all[p->waiters[trace_thread_index(x->trace, later.thread)]++] =
		    (struct lock_cause){
			.ended = later.time,
			.released = earlier.time,
			.end = later.record,
			.release = earlier.record,
			.holder = trace_thread_index(x->trace, earlier.thread),
			.site = NO_SITE,
			.found = (uint32_t)i,
			.role = (uint16_t)p->role,
		    };
	}
	free(p->waiters);
	free(p->holders);
}

static void parts_add(struct lock_causes_context *x, uint32_t role)
{
	size_t n = x->causes->list->matches[role]->count;
	size_t parts = PARTS_PER_WORKER * (size_t)parallel_workers();

	for (size_t i = 0; i < parts; i++)
		*vector_add(&x->parts) = (struct cause_part){
		    .role = role, .from = n * i / parts, .to = n * (i + 1) / parts};
}

/* Sets where each thread's causes begin, and where those of each part go. */
static void parts_place(struct lock_causes_context *x)
{
	struct lock_causes *c = x->causes;
	size_t waiters = 0, holders = 0;

	c->first = array_new(x->trace->nthreads + 1, sizeof *c->first);
	c->first_released = array_new(x->trace->nthreads + 1, sizeof *c->first_released);
	for (uint32_t t = 0; t < x->trace->nthreads; t++) {
		c->first[t] = waiters;
		c->first_released[t] = holders;
		for (size_t i = 0; i < x->parts.n; i++) {
			struct cause_part *p = &x->parts.at[i];
			size_t n = p->waiters[t];

			p->waiters[t] = waiters;
			waiters += n;
			holders += p->holders[t];
		}
	}
	c->first[x->trace->nthreads] = c->first_released[x->trace->nthreads] = c->n = waiters;
}

/* Of those of one waiter. */
static int end_order(const void *a, const void *b)
{
	const struct lock_cause *x = a, *y = b;

	if (x->ended != y->ended)
		return x->ended < y->ended ? -1 : 1;
	/* of several causes of one wait the last one let it go on */
	return (x->released < y->released) - (x->released > y->released);
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
static void sort_if_needed(void *items, size_t n, size_t size,
			   int (*order)(const void *, const void *))
{
	const char *at = items;

	for (size_t i = 1; i < n; i++)
		if (order(at + (i - 1) * size, at + i * size) > 0) {
			qsort(items, n, size, order);
			return;
		}
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
	sort_if_needed(c->all + first, n, sizeof *c->all, end_order);
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

/* Sorts those of each thread. */
static void causes_sort(struct lock_causes *c, uint32_t nthreads)
{
	size_t *next = array_new(nthreads + 1, sizeof *next);
	struct sorting s = {c, array_new(c->n, sizeof *s.released)};

	parallel_for(nthreads, waiter_sort, &s);
	c->released = array_new(c->n + 1, sizeof *c->released);
	memcpy(next, c->first_released, (nthreads + 1) * sizeof *next);
	for (uint32_t i = 0; i < c->n; i++)
		s.released[next[c->all[i].holder]++] = (struct released){c->all[i].released, i};
	parallel_for(nthreads, holder_sort, &s);
	free(s.released);
	free(next);
}

void lock_causes_take(struct lock_causes *c, const struct cause_list *found,
		      const struct lock_sources *s)
{
	struct lock_causes_context x = {.causes = c, .trace = s->trace};

	*c = (struct lock_causes){.list = found};
	for (uint32_t i = 0; i < found->n; i++)
		if (is_causes_wait(&found->roles[i], s))
			parts_add(&x, i);
	parallel_for(x.parts.n, part_count, &x);
	parts_place(&x);
	c->all = array_new(c->n, sizeof *c->all);
	parallel_for(x.parts.n, part_take, &x);
	free(x.parts.at);
	causes_sort(c, s->trace->nthreads);
}

void lock_causes_sites(struct lock_causes *c, struct lock_register *r)
{
	struct event earlier, later;

	for (size_t i = 0; i < c->n; i++) {
		struct lock_cause *x = &c->all[i];

		if (!x->held && cause_look(c->list, x->role, x->found, &earlier, &later))
			x->site = lock_register_site(r, &c->list->roles[x->role].start, &earlier);
	}
}

void lock_causes_free(struct lock_causes *c)
{
	free(c->all);
	free(c->first);
	free(c->released);
	free(c->first_released);
}
