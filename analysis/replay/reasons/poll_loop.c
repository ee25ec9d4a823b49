#include "analysis/replay/reasons/poll_loop.h"
#include "analysis/replay/reasons/poll_sleep.h"
#include "base/search.h"

/* Fewer sleeps may follow each other for another reason. */
enum { FEWEST_SLEEPS = 4 };

/* A thread that only polls computes for less than this share of the time. */
static const double most_work = 0.1;

/*
 * So much longer than any check before may the last one be: then the thread does there what it has
 * waited for.
 */
enum { LONGER = 4, SHORT = 20000 };

struct sleep_series {
	const struct model *model;
	const struct timeline *timeline;
	uint32_t thread, class;
	size_t first, before, last; /* sleeps; before: the last but one */
	size_t n;
	int64_t work; /* CPU time between the sleeps */
};

bool poll_loop_has(const struct poll_loop *l, const struct model *m, size_t stretch)
{
	return stretch >= l->first && stretch <= l->last &&
	       poll_sleep_class(m, l->thread, stretch) == l->class;
}

/* ---- checks under a lock ---- */

/* Returns the first hold of a thread that begins in a time, NO_HOLD: none does. */
static size_t hold_in(const struct model *m, uint32_t thread, int64_t from, int64_t to)
{
	size_t end = m->first_hold[thread + 1];
	size_t i = lower_bound(k, m->first_hold[thread], end, m->holds.at[k].start < from);

	return i < end && m->holds.at[i].start <= to ? i : NO_HOLD;
}

/* Returns when a lock was released last in a time by a thread; INT64_MIN: it was not. */
static int64_t last_release(const struct model *m, uint32_t thread, uint32_t lock, int64_t from,
			    int64_t to)
{
	size_t first = m->first_hold[thread];
	size_t i = lower_bound(k, first, m->first_hold[thread + 1], m->holds.at[k].start < to);
	int64_t last = INT64_MIN;

	for (size_t n = 0; i > first && n < MOST_HOLDS_OPEN; n++) {
		const struct model_hold *h = &m->holds.at[--i];

		if (h->lock == lock && h->end != INT64_MAX && hold_released(h) > from &&
		    hold_released(h) <= to && hold_released(h) > last)
			last = hold_released(h);
		if (h->end < from)
			break;
	}
	return last;
}

/* Returns how often other threads released a lock in a time, at most `most` times. */
static size_t releases_count(const struct sleep_series *s, uint32_t lock, int64_t from, int64_t to,
			     size_t most)
{
	const struct model *m = s->model;
	size_t n = 0;

	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		size_t end = m->first_hold[t + 1];
		size_t i = lower_bound(k, m->first_hold[t], end, m->holds.at[k].start < from);

		for (; t != s->thread && i < end && m->holds.at[i].start < to && n < most; i++)
			n += m->holds.at[i].lock == lock;
	}
	return n;
}

static int64_t hold_length(const struct model_hold *h)
{
	return h->end - h->start;
}

/*
 * Finds the last release of the lock by another thread between the last two checks. Who releases it
 * often may not be who ended the loop.
 */
static bool release_find(const struct sleep_series *s, struct poll_loop *l,
			 const struct model_hold *before, const struct model_hold *check)
{
	const struct model *m = s->model;
	size_t most = s->n / 4 + 1;

	l->of = NO_THREAD;
	l->time = INT64_MIN;
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		int64_t time = t == s->thread
				   ? INT64_MIN
				   : last_release(m, t, check->lock, before->start, check->start);

		if (time > l->time) {
			l->of = t;
			l->time = time;
		}
	}
	return l->of != NO_THREAD &&
	       releases_count(s, check->lock, s->timeline->stretches[s->first].from, check->start,
			      most + 1) <= most;
}

/* The thread looks under a lock, which another thread released since it had looked before. */
static bool check_find(const struct sleep_series *s, struct poll_loop *l)
{
	const struct model *m = s->model;
	const struct timeline *t = s->timeline;
	int64_t end = stretch_end(t, s->last), slept = end - t->stretches[s->last].from;
	size_t before =
	    hold_in(m, s->thread, stretch_end(t, s->before), t->stretches[s->last].from);
	size_t check = hold_in(m, s->thread, end, end + slept), first;

	if (before == NO_HOLD || check == NO_HOLD || m->holds.at[check].end == INT64_MAX ||
	    m->holds.at[check].lock != m->holds.at[before].lock ||
	    !release_find(s, l, &m->holds.at[before], &m->holds.at[check]))
		return false;
	l->check = check;
	if (hold_length(&m->holds.at[check]) > LONGER * hold_length(&m->holds.at[before]) + SHORT) {
		if (l->time > end)
			return false;
		l->check = NO_HOLD;
	}
	first =
	    hold_in(m, s->thread, t->stretches[s->first].from - slept, t->stretches[s->first].from);
	l->looks_first = first != NO_HOLD && m->holds.at[first].lock == m->holds.at[check].lock;
	return true;
}

/* ---- ends of threads ---- */

/* Exactly one thread ended during the last sleep. */
static bool end_find(const struct sleep_series *s, struct poll_loop *l)
{
	const struct model *m = s->model;
	int64_t from = s->timeline->stretches[s->last].from,
		end = stretch_end(s->timeline, s->last);

	l->of = NO_THREAD;
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		const struct timeline *other = &m->graph->threads[t];

		if (t == s->thread || !other->n || other->end <= from || other->end > end)
			continue;
		if (l->of != NO_THREAD)
			return false;
		l->of = t;
		l->time = other->end;
	}
	l->check = NO_HOLD;
	l->looks_first = true;
	return l->of != NO_THREAD && m->graph->threads[l->of].creator != s->thread;
}

/* ---- series of sleeps ---- */

static void series_end(struct sleep_series *s, poll_loops *all)
{
	struct poll_loop l = {
	    .thread = s->thread, .first = s->first, .last = s->last, .class = s->class};
	const struct timeline *t = s->timeline;
	bool found = false;

	if (s->n >= FEWEST_SLEEPS &&
	    (double)s->work <=
		most_work * (double)(stretch_end(t, s->last) - t->stretches[s->first].from))
		found = check_find(s, &l) || end_find(s, &l);
	if (found)
		*vector_add(all) = l;
	s->n = 0;
}

static void series_add(struct sleep_series *s, size_t stretch, uint32_t class)
{
	if (!s->n) {
		s->first = stretch;
		s->class = class;
		s->work = 0;
	}
	s->before = s->last;
	s->last = stretch;
	s->n++;
}

/* Whether a thread waits for a lock: it may do so between two sleeps. */
static bool waits_for_lock(const struct sleep_series *s, size_t stretch)
{
	const struct stretch *w = &s->timeline->stretches[stretch];

	return w->activity == ACTIVITY_WAITING && w->cause_thread != NO_THREAD &&
	       hold_in(s->model, s->thread, stretch_end(s->timeline, stretch),
		       stretch_end(s->timeline, stretch)) != NO_HOLD;
}

static void thread_find(const struct model *m, uint32_t thread, poll_loops *all)
{
	const struct timeline *t = &m->graph->threads[thread];
	struct sleep_series s = {.model = m, .timeline = t, .thread = thread};

	for (size_t i = 0; i < t->n; i++) {
		const struct stretch *w = &t->stretches[i];
		uint32_t class =
		    w->cause_thread == NO_THREAD ? poll_sleep_class(m, thread, i) : NO_NUMBER;

		if (class != NO_NUMBER) {
			if (s.n && class != s.class)
				series_end(&s, all);
			series_add(&s, i, class);
		} else if (w->activity == ACTIVITY_RUNNING) {
			/* one that computes for longer than it has slept has left the loop */
			if (s.n && stretch_end(t, i) - w->from >
				       stretch_end(t, s.last) - t->stretches[s.last].from)
				series_end(&s, all);
			s.work += stretch_end(t, i) - w->from;
		} else if (w->activity != ACTIVITY_READY && !waits_for_lock(&s, i)) {
			series_end(&s, all);
		}
	}
	series_end(&s, all);
}

poll_loops poll_loops_of(const struct model *m)
{
	poll_loops all = {0};

	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		thread_find(m, t, &all);
	return all;
}
