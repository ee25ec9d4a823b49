#include "analysis/replay/recorded/early_holds.h"
#include "base/search.h"
#include <stdlib.h>

/* So many waits of a thread are looked at for the last one for a lock. */
enum { MOST_WAITS = 64 };

struct lock_end {
	int64_t end;
	uint32_t lock, thread;
	size_t hold;
};

struct early_search {
	const struct model *model;
	struct lock_end *ends; /* by lock, then end */
	size_t n;
	int64_t *earliest; /* by hold */
	/* by thread: its last release of the lock, and one more than the lock */
	int64_t *released;
	uint32_t *of_lock;
};

static int by_lock_and_end(const void *a, const void *b)
{
	const struct lock_end *x = a, *y = b;

	if (x->lock != y->lock)
		return x->lock < y->lock ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return (x->hold > y->hold) - (x->hold < y->hold);
}

/* Only locks that a declaration names are acquired without an event. */
static bool is_unseen(const struct model *m, size_t hold)
{
	const struct object_words *words = m->set->classes.at[hold_class(m, hold)].words;

	return words && words->hold;
}

static void ends_find(struct early_search *s)
{
	const struct model *m = s->model;

	s->ends = array_new(m->holds.n, sizeof *s->ends);
	for (size_t i = 0; i < m->holds.n; i++)
		if (is_unseen(m, i))
			s->ends[s->n++] = (struct lock_end){m->holds.at[i].end, m->holds.at[i].lock,
							    m->holds.at[i].thread, i};
	if (s->n)
		qsort(s->ends, s->n, sizeof *s->ends, by_lock_and_end);
}

/* Returns the end of a thread's last wait for a lock up to a time, or `from` if that is later. */
static int64_t waited_until(const struct model *m, const struct model_hold *h, int64_t from)
{
	const span_vector *waits = instance_spans(m->set, SPANS_WAIT, h->thread);
	const struct instance_span *w = waits->at;
	size_t i = lower_bound(k, (size_t)0, waits->n, w[k].start < h->start);

	for (unsigned n = 0; i > 0 && n < MOST_WAITS && w[i - 1].end > from; n++, i--)
		if (w[i - 1].end <= h->start && model_wait_lock(m, &w[i - 1]) == h->lock)
			return w[i - 1].end;
	return from;
}

/* Finds it for all holds of one lock. */
static void lock_settle(const struct early_search *s, size_t first, size_t end)
{
	const struct model *m = s->model;
	int64_t last = INT64_MIN;
	bool shared = false;

	for (size_t i = first; i < end; i++)
		shared |= m->holds.at[s->ends[i].hold].shared;
	for (size_t i = first; i < end; i++) {
		const struct lock_end *e = &s->ends[i];
		const struct model_hold *h = &m->holds.at[e->hold];
		int64_t from = m->graph->threads[e->thread].begin;

		if (s->of_lock[e->thread] == e->lock + 1 && s->released[e->thread] > from)
			from = s->released[e->thread];
		if (!shared && last > from)
			from = last;
		from = waited_until(m, h, from);
		s->earliest[e->hold] = from < h->start ? from : h->start;
		s->of_lock[e->thread] = e->lock + 1;
		s->released[e->thread] = last = e->end;
	}
}

int64_t *early_holds_of(const struct model *m)
{
	struct early_search s = {.model = m};

	ends_find(&s);
	if (s.n) {
		s.earliest = array_new(m->holds.n, sizeof *s.earliest);
		s.released = array_new(m->trace->nthreads, sizeof *s.released);
		s.of_lock = array_zero(m->trace->nthreads, sizeof *s.of_lock);
		for (size_t i = 0; i < m->holds.n; i++)
			s.earliest[i] = m->holds.at[i].start;
		for (size_t i = 0, end; i < s.n; i = end) {
			for (end = i; end < s.n && s.ends[end].lock == s.ends[i].lock;)
				end++;
			lock_settle(&s, i, end);
		}
	}
	free(s.released);
	free(s.of_lock);
	free(s.ends);
	return s.earliest;
}
