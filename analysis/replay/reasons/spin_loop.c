#include "analysis/replay/reasons/spin_loop.h"
#include "base/search.h"

/* Fewer tries may follow each other for another reason. */
enum { FEWEST_TRIES = 4 };

/* A thread that does more than so much during a loop may not be who ended it. */
enum { MOST_DEEDS = 4 };

/* ---- what ends a loop ---- */

struct deeds {
	size_t during, last; /* how many in the loop, and in its end */
	int64_t time;        /* of the last one */
};

static void deed_add(struct deeds *d, const struct spin_loop *l, int64_t from, int64_t to,
		     int64_t time)
{
	d->during += time >= l->from && time <= to;
	if (time <= from || time > to)
		return;
	d->last++;
	d->time = time > d->time ? time : d->time;
}

/* Counts what another thread did from the last try but one on: releases, and its end. */
static struct deeds deeds_of(const struct model *m, uint32_t thread, const struct spin_loop *l,
			     int64_t from, int64_t to)
{
	size_t first = m->first_hold[thread];
	size_t i = lower_bound(k, first, m->first_hold[thread + 1], m->holds.at[k].start < to);
	struct deeds d = {.time = INT64_MIN};

	for (; i > first && d.during <= MOST_DEEDS && m->holds.at[i - 1].end >= l->from; i--)
		if (m->holds.at[i - 1].end != INT64_MAX)
			deed_add(&d, l, from, to, hold_released(&m->holds.at[i - 1]));
	if (m->graph->threads[thread].n)
		deed_add(&d, l, from, to, m->graph->threads[thread].end);
	return d;
}

/* Exactly one thread did something from the last try but one, at `before`, on. */
static bool end_find(const struct model *m, struct spin_loop *l, int64_t before)
{
	l->of = NO_THREAD;
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		struct deeds d = {0};

		if (t != l->thread)
			d = deeds_of(m, t, l, before, l->to + LONGEST_TRY);
		if (!d.last)
			continue;
		if (l->of != NO_THREAD || d.during > MOST_DEEDS)
			return false;
		l->of = t;
		l->time = d.time;
	}
	if (l->of != NO_THREAD && l->time > l->to)
		l->to = l->time;
	return l->of != NO_THREAD;
}

/* ---- series of tries ---- */

/* Whether a thread only tried again between two tries: it waited for nothing but a processor. */
static bool follows(const struct model *m, const struct try *a, const struct try *b)
{
	const struct timeline *l = &m->graph->threads[a->thread];
	int64_t ran = 0;
	size_t i;

	if (a->thread != b->thread || a->key != b->key || !l->n)
		return false;
	i = lower_bound(k, (size_t)0, l->n, stretch_end(l, k) <= a->time);
	for (; i < l->n && l->stretches[i].from < b->time; i++) {
		int64_t from = l->stretches[i].from, end = stretch_end(l, i);

		if (l->stretches[i].activity == ACTIVITY_WAITING)
			return false;
		if (l->stretches[i].activity == ACTIVITY_RUNNING)
			ran += (end < b->time ? end : b->time) - (from > a->time ? from : a->time);
	}
	return ran <= LONGEST_TRY;
}

spin_loops spin_loops_of(const struct model *m, const tries *all, int64_t *unexplained)
{
	spin_loops loops = {0};

	*unexplained = 0;
	for (size_t i = 0, end; i < all->n; i = end) {
		struct spin_loop l = {.from = all->at[i].time,
				      .thread = all->at[i].thread,
				      .yields = !all->at[i].object};

		for (end = i + 1; end < all->n && follows(m, &all->at[end - 1], &all->at[end]);)
			end++;
		l.to = all->at[end - 1].time;
		if (end - i < FEWEST_TRIES)
			continue;
		if (end_find(m, &l, all->at[end - 2].time))
			*vector_add(&loops) = l;
		else
			*unexplained += l.to - l.from;
	}
	return loops;
}
