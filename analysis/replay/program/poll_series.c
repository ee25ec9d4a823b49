#include "analysis/replay/program/poll_series.h"

/* Fewer sleeps may follow each other for another reason. */
enum { FEWEST_SLEEPS = 4 };

/* A thread that only polls computes for less than this share of the time. */
static const double most_work = 0.1;

bool poll_series_continues(const struct poll_series *s, const struct model *m, uint32_t thread,
			   size_t stretch)
{
	return s->sleeps.n &&
	       (m->graph->threads[thread].stretches[stretch].activity == ACTIVITY_READY ||
		poll_sleep_class(m, thread, stretch) == s->class);
}

void poll_series_add(struct poll_series *s, const struct model *m, const struct operations *o,
		     uint32_t thread, size_t stretch)
{
	const struct timeline *l = &m->graph->threads[thread];
	uint32_t class = poll_sleep_class(m, thread, stretch);
	size_t last = o->all.n - 1;

	if (s->sleeps.n)
		s->work += o->all.at[last].work;
	if (class == NO_NUMBER)
		return;
	if (!s->sleeps.n) {
		s->first_listed = o->waits.n;
		s->class = class;
		s->from = l->stretches[stretch].from;
		s->work = 0;
	}
	*vector_add(&s->sleeps) = last;
	s->last_from = l->stretches[stretch].from;
	s->end = stretch_end(l, stretch);
}

bool poll_series_awaits(const struct poll_series *s, const struct model *m, uint32_t thread,
			uint32_t of)
{
	const struct timeline *l = &m->graph->threads[of];

	return l->n && l->creator == thread && l->end > s->from && l->end <= s->end &&
	       polling_possible(m, of);
}

uint32_t poll_series_for(const struct poll_series *s, const struct model *m, uint32_t thread)
{
	uint32_t last = NO_THREAD;

	if (s->sleeps.n < FEWEST_SLEEPS || (double)s->work > most_work * (double)(s->end - s->from))
		return NO_THREAD;
	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		if (poll_series_awaits(s, m, thread, t) &&
		    (last == NO_THREAD || m->graph->threads[t].end > m->graph->threads[last].end))
			last = t;
	return last != NO_THREAD && m->graph->threads[last].end >= s->last_from ? last : NO_THREAD;
}
