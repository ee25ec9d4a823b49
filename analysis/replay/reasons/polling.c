#include "analysis/replay/reasons/polling.h"
#include "analysis/replay/reasons/poll_sleep.h"
#include "base/search.h"
#include <stdlib.h>

/* Fewer sleeps may follow each other for another reason. */
enum { FEWEST_SLEEPS = 4 };

/* A thread that only polls computes for less than this share of the time. */
static const double most_work = 0.1;

struct poll_search {
	const struct model *model;
	const struct run_facts *facts;
	const struct timeline *timeline;
	poll_series_list *all;
	struct poll_series series;
	VECTOR(struct wait_reason *) sleeps; /* of the series */
	size_t hold;                         /* the next of the thread's */
	VECTOR(int64_t) held;                /* when the locks that it holds are released */
	int64_t before;                      /* end of the wait before */
	int64_t ran;                         /* CPU time since then */
	bool other;                          /* it did something else since then */
};

bool poll_series_awaits(const struct poll_series *s, const struct model *m, uint32_t of)
{
	const struct timeline *l = &m->graph->threads[of];

	return l->n && l->creator == s->thread && l->end > s->from && l->end <= s->end &&
	       polling_possible(m, of);
}

/*
 * Returns the thread whose end stopped a series: of those that it polls for the last to end.
 * NO_THREAD: the series does not poll.
 */
static uint32_t series_for(const struct poll_series *s, const struct model *m)
{
	uint32_t last = NO_THREAD;

	if (s->n < FEWEST_SLEEPS || (double)s->work > most_work * (double)(s->end - s->from))
		return NO_THREAD;
	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		if (poll_series_awaits(s, m, t) &&
		    (last == NO_THREAD || m->graph->threads[t].end > m->graph->threads[last].end))
			last = t;
	return last != NO_THREAD && m->graph->threads[last].end >= s->last_from ? last : NO_THREAD;
}

static void series_end(struct poll_search *p)
{
	p->series.of = p->series.n ? series_for(&p->series, p->model) : NO_THREAD;
	if (p->series.of != NO_THREAD) {
		for (size_t i = 0; i < p->sleeps.n; i++) {
			p->sleeps.at[i]->kind = REASON_SERIES;
			p->sleeps.at[i]->rule = (uint32_t)p->all->n;
		}
		*vector_add(p->all) = p->series;
	}
	p->series.n = p->sleeps.n = 0;
}

/* Returns whether the thread released a lock since the wait before. */
static bool held_release(struct poll_search *p, int64_t end)
{
	bool found = false;
	size_t kept = 0;

	for (size_t i = 0; i < p->held.n; i++) {
		found |= p->held.at[i] > p->before && p->held.at[i] <= end;
		if (p->held.at[i] > end)
			p->held.at[kept++] = p->held.at[i];
	}
	p->held.n = kept;
	return found;
}

/* Returns whether the thread came to a lock or released one since the wait before. */
static bool has_hold(struct poll_search *p, int64_t end)
{
	const struct model *m = p->model;
	bool found = false;

	for (; p->hold < m->first_hold[p->series.thread + 1]; p->hold++) {
		const struct model_hold *h = &m->holds.at[p->hold];

		if (hold_arrived(m, h) >= end)
			break;
		found |= hold_arrived(m, h) >= p->before;
		*vector_add(&p->held) = hold_released(h);
	}
	return held_release(p, end) || found;
}

/* A wait continues a series, or begins one. */
static void series_add(struct poll_search *p, struct wait_reason *w, uint32_t class)
{
	struct poll_series *s = &p->series;
	int64_t from = p->timeline->stretches[w->stretch].from;

	if (s->n)
		s->work += p->ran;
	if (class == NO_NUMBER)
		return;
	if (!s->n) {
		s->class = class;
		s->from = from;
		s->work = 0;
	}
	*vector_add(&p->sleeps) = w;
	s->n++;
	s->last_from = from;
	s->end = stretch_end(p->timeline, w->stretch);
}

static void wait_look(struct poll_search *p, struct wait_reason *w)
{
	int64_t end = stretch_end(p->timeline, w->stretch);
	uint32_t class;

	p->other |= has_hold(p, end);
	if (w->kind == REASON_LOCK || w->kind == REASON_SPUN)
		return;
	class = poll_sleep_class(p->model, p->series.thread, w->stretch);
	if (p->series.n && (p->other || w->caused ||
			    moment_in(&p->facts->posts, p->series.thread, p->before, end) ||
			    model_needs_in(p->model, p->series.thread, p->before, end) ||
			    (class != p->series.class &&
			     p->timeline->stretches[w->stretch].activity != ACTIVITY_READY)))
		series_end(p);
	if (w->kind == REASON_NONE || w->kind == REASON_OUTSIDE || w->kind == REASON_LOST)
		series_add(p, w, class);
	else if (w->kind == REASON_PREEMPTED)
		series_add(p, w, NO_NUMBER);
	p->before = end;
	p->ran = 0;
	p->other = false;
}

void poll_series_find(const struct model *m, const struct run_facts *f, uint32_t thread,
		      const wait_reason_list *waits, size_t first, poll_series_list *all)
{
	struct poll_search p = {.model = m,
				.facts = f,
				.timeline = &m->graph->threads[thread],
				.all = all,
				.series = {.thread = thread},
				.hold = m->first_hold[thread]};
	size_t at = first;

	for (size_t i = 0; i < p.timeline->n; i++) {
		const struct stretch *s = &p.timeline->stretches[i];

		if (s->activity == ACTIVITY_RUNNING)
			p.ran += stretch_end(p.timeline, i) - s->from;
		else if (at < waits->n && waits->at[at].stretch == i)
			wait_look(&p, &waits->at[at++]);
	}
	series_end(&p);
	free(p.sleeps.at);
	free(p.held.at);
}
