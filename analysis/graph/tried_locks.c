#include "analysis/graph/tried_locks.h"
#include "analysis/activity/instance_set.h"
#include "analysis/graph/graph.h"
#include "analysis/graph/timeline.h"
#include "analysis/graph/tries.h"
#include "base/search.h"
#include <stdlib.h>

/* A thread that only tries computes, or is ready, for less than this share of its sleeps. */
static const double most_between = 0.1;

struct tried_search {
	struct graph *graph;
	const struct instance_set *set;
	tries all;
};

/* Threads that try so often spin, and to read their tries takes longer than all else. */
enum { MOST_TRIES = 1 << 21 };

bool has_tried_locks(const struct trace *t)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];
		bool of_object = false;

		for (unsigned k = 0; e->spin && k < e->nattributes; k++)
			of_object |= e->attributes[k].type == TYPE_OBJECT;
		n += of_object ? t->events_of_type[i] : 0;
	}
	return n && n <= MOST_TRIES;
}

static const span_vector *holds_of(const struct tried_search *s, uint32_t thread)
{
	return instance_spans(s->set, SPANS_HOLD, thread);
}

static const struct lock *lock_of(const struct tried_search *s, const struct instance_span *hold)
{
	return &s->set->objects->locks.at[s->set->classes.at[hold->class].lock];
}

static bool is_of(const struct tried_search *s, const struct instance_span *hold,
		  const struct try *t)
{
	const struct lock *l = lock_of(s, hold);

	return t->object && l->address == t->object &&
	       l->process == s->set->trace->threads[t->thread].directory;
}

/* Passes the tries of a thread up to a time; returns the first one after it, or another's. */
static size_t tries_pass(const struct tried_search *s, size_t next, uint32_t thread, int64_t to)
{
	while (next < s->all.n && s->all.at[next].thread == thread && s->all.at[next].time <= to)
		next++;
	return next;
}

/*
 * Finds the sleeps from a try up to the hold that it ends with: a try before each, all at one
 * place, and next to no work. Returns the first try that is not of them.
 */
static size_t series_find(const struct tried_search *s, size_t first, struct tried_lock *found)
{
	const struct try *t = &s->all.at[first];
	const struct timeline *l = &s->graph->threads[t->thread];
	const span_vector *holds = holds_of(s, t->thread);
	size_t hold = lower_bound(k, (size_t)0, holds->n, holds->at[k].start <= t->time);
	size_t next = first;
	int64_t slept = 0, end;
	uint32_t class = NO_CLASS;

	found->thread = NO_THREAD;
	if (hold == holds->n || !is_of(s, &holds->at[hold], t))
		return first + 1;
	end = holds->at[hold].start;
	for (size_t i = lower_bound(k, (size_t)0, l->n, stretch_end(l, k) <= t->time);
	     i < l->n && l->stretches[i].from < end; i++) {
		size_t before = next;
		uint32_t is;

		if (l->stretches[i].activity != ACTIVITY_WAITING)
			continue;
		is = stretch_wait_class(s->graph, s->set, t->thread, i);
		next = tries_pass(s, next, t->thread, l->stretches[i].from);
		if (next == before || s->all.at[next - 1].key != t->key || is == NO_CLASS ||
		    (class != NO_CLASS && is != class))
			return next > first ? next : first + 1;
		if (class == NO_CLASS)
			found->first = i;
		class = is;
		found->last = i;
		slept += stretch_end(l, i) - l->stretches[i].from;
	}
	if (class != NO_CLASS &&
	    (double)(end - t->time - slept) < most_between * (double)slept + LONGEST_TRY)
		found->thread = t->thread;
	found->hold = hold;
	return tries_pass(s, next, t->thread, end - 1);
}

/* ---- how long they sleep ---- */

/* A sleep of a thread between tries. */
struct tried_sleep {
	uint32_t thread, class;
	int64_t length;
	size_t stretch;
};

static int by_place(const void *a, const void *b)
{
	const struct tried_sleep *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return (x->length > y->length) - (x->length < y->length);
}

/* Other programs make single sleeps much longer. */
static void usual_find(const struct tried_search *s, tried_locks *found)
{
	VECTOR(struct tried_sleep) all = {0};

	for (size_t i = 0; i < found->n; i++) {
		const struct tried_lock *t = &found->at[i];
		const struct timeline *l = &s->graph->threads[t->thread];

		for (size_t k = t->first; k <= t->last; k++)
			if (l->stretches[k].activity == ACTIVITY_WAITING)
				*vector_add(&all) = (struct tried_sleep){
				    t->thread, stretch_wait_class(s->graph, s->set, t->thread, k),
				    stretch_end(l, k) - l->stretches[k].from, k};
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_place);
	for (size_t i = 0; i < found->n; i++) {
		struct tried_lock *t = &found->at[i];
		struct tried_sleep wanted = {
		    t->thread, stretch_wait_class(s->graph, s->set, t->thread, t->first), INT64_MIN,
		    0};
		size_t from = lower_bound(k, (size_t)0, all.n, by_place(&all.at[k], &wanted) < 0);
		size_t to;

		wanted.length = INT64_MAX;
		to = lower_bound(k, from, all.n, by_place(&all.at[k], &wanted) < 0);
		t->usual = all.at[from + (to - from) / 2].stretch;
	}
	free(all.at);
}

/* ---- who ends them ---- */

/* Returns when a thread released a lock last before a time; INT64_MIN: it did not. */
static int64_t last_release(const struct tried_search *s, uint32_t thread, uint32_t lock,
			    int64_t to)
{
	enum { LOOKED_AT = 16 };
	const span_vector *holds = holds_of(s, thread);
	size_t next = lower_bound(k, (size_t)0, holds->n, holds->at[k].start < to);

	for (size_t i = next; i-- > 0 && i + LOOKED_AT >= next;)
		if (s->set->classes.at[holds->at[i].class].lock == lock && holds->at[i].end <= to)
			return holds->at[i].end;
	return INT64_MIN;
}

/* The last sleep ends with the try that finds the lock free: its last release is the cause. */
static void cause_set(struct tried_search *s, const struct tried_lock *t)
{
	const struct instance_span *hold = &holds_of(s, t->thread)->at[t->hold];
	struct stretch *last = &s->graph->threads[t->thread].stretches[t->last];
	uint32_t lock = s->set->classes.at[hold->class].lock, by = NO_THREAD;
	int64_t end = stretch_end(&s->graph->threads[t->thread], t->last), time = last->from;

	for (uint32_t i = 0; i < s->set->trace->nthreads; i++) {
		int64_t released =
		    i == t->thread ? INT64_MIN : last_release(s, i, lock, hold->start);

		if (released > time) {
			time = released;
			by = i;
		}
	}
	if (by == NO_THREAD || time > end || last->cause_thread != NO_THREAD)
		return;
	last->cause_thread = by;
	last->cause_time = time;
}

tried_locks tried_locks_find(struct graph *g, const struct instance_set *set)
{
	struct tried_search s = {.graph = g, .set = set, .all = tries_before_waits(set->trace, g)};
	tried_locks found = {0};

	for (size_t i = 0; i < s.all.n;) {
		struct tried_lock new;
		struct stretch *stretches;

		i = series_find(&s, i, &new);
		if (new.thread == NO_THREAD)
			continue;
		stretches = g->threads[new.thread].stretches;
		for (size_t k = new.first; k <= new.last; k++)
			stretches[k].tries = stretches[k].activity == ACTIVITY_WAITING;
		cause_set(&s, &new);
		*vector_add(&found) = new;
	}
	usual_find(&s, &found);
	free(s.all.at);
	return found;
}

uint32_t tried_lock_at(const struct graph *g, uint32_t thread, size_t stretch)
{
	const tried_locks *l = &g->tried;
	size_t i = lower_bound(k, (size_t)0, l->n,
			       l->at[k].thread < thread ||
				   (l->at[k].thread == thread && l->at[k].last < stretch));

	return g->threads[thread].stretches[stretch].tries ? (uint32_t)i : UINT32_MAX;
}
