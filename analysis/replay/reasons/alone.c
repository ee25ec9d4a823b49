#include "analysis/replay/reasons/alone.h"
#include "analysis/replay/recorded/outside.h"
#include "base/search.h"

/* A part of a thread, from the end of one wait to the end of another one, or to a release. */
struct timeline_part {
	uint32_t thread;
	size_t first, last; /* stretches: those after the first one, and before the last one */
	int64_t from, to;
};

static bool has_spin(const struct run_facts *f, const struct timeline_part *p)
{
	const struct spin_loop *spins = f->spins.at;
	size_t i = lower_bound(k, (size_t)0, f->spins.n,
			       spins[k].thread < p->thread ||
				   (spins[k].thread == p->thread && spins[k].from < p->from));

	return i < f->spins.n && spins[i].thread == p->thread && spins[i].from < p->to;
}

/* Whether a wait has an end that others make, or that has its own time. loop: NULL: of none. */
static bool is_tied(const struct model *m, const struct run_facts *f, uint32_t thread,
		    size_t stretch, const struct poll_loop *loop)
{
	const struct timeline *l = &m->graph->threads[thread];
	int64_t from = l->stretches[stretch].from, until;
	size_t end = m->first_cause[thread + 1];
	size_t i = lower_bound(k, m->first_cause[thread], end, m->causes.at[k].stretch < stretch);
	const struct timed_wait *limit = timed_wait_find(&f->timed, thread, stretch);
	uint32_t object;

	for (; i < end && m->causes.at[i].stretch == stretch; i++)
		if (m->causes.at[i].meeting || m->causes.at[i].lock == NO_LOCK)
			return true;
	if (limit && limit->hold != NO_HOLD)
		return true;
	object = outside_object(m, thread, stretch);
	if (object != NO_LOCK && f->outside[object])
		return true;
	if (loop && poll_loop_has(loop, m, stretch))
		return false;
	until = deadline_find(&m->deadlines, thread, from);
	return until != INT64_MIN && until <= stretch_end(l, stretch);
}

static bool is_alone(const struct model *m, const struct run_facts *f,
		     const struct timeline_part *p, const struct poll_loop *loop)
{
	const struct timeline *l = &m->graph->threads[p->thread];

	if (moment_in(&f->posts, p->thread, p->from, p->to) ||
	    model_needs_in(m, p->thread, p->from, p->to) || has_spin(f, p))
		return false;
	for (size_t i = p->first + 1; i < p->last; i++)
		if (l->stretches[i].activity != ACTIVITY_RUNNING &&
		    is_tied(m, f, p->thread, i, loop))
			return false;
	return true;
}

/* Locks that are taken there are released there. */
static bool is_balanced(const struct model *m, const struct timeline_part *p)
{
	size_t first = m->first_hold[p->thread], end = m->first_hold[p->thread + 1];
	int64_t held = 0;

	size_t before = 0; /* looked at, of those that ended before the part */

	for (size_t i = lower_bound(k, first, end, m->holds.at[k].start <= p->to);
	     i-- > first && before < MOST_HOLDS_OPEN;) {
		const struct model_hold *h = &m->holds.at[i];

		held += hold_arrived(m, h) >= p->from && hold_arrived(m, h) < p->to;
		held -= hold_released(h) > p->from && hold_released(h) <= p->to;
		before += h->end < p->from;
	}
	return !held;
}

/* The part of a poll loop after its first sleep. Returns false if the loop has no end. */
static bool loop_part(const struct model *m, const struct poll_loop *l, struct timeline_part *p)
{
	const struct timeline *t = &m->graph->threads[l->thread];

	*p = (struct timeline_part){l->thread, l->first, l->last, stretch_end(t, l->first),
				    stretch_end(t, l->last)};
	if (l->check == NO_HOLD)
		return true;
	p->to = hold_released(&m->holds.at[l->check]) - 1;
	while (p->last < t->n && stretch_end(t, p->last) <= p->to)
		p->last++;
	return m->holds.at[l->check].end <= t->end;
}

static void loops_look(const struct model *m, struct run_facts *f)
{
	for (size_t i = 0; i < f->loops.n; i++) {
		struct poll_loop *l = &f->loops.at[i];
		struct timeline_part p;

		l->alone = loop_part(m, l, &p) && is_alone(m, f, &p, l) &&
			   !is_tied(m, f, l->thread, l->first, l) &&
			   !is_tied(m, f, l->thread, l->last, l);
	}
}

/* From the last wait of a loop back to the first one from which on all can be done again. */
static void timed_look(const struct model *m, struct run_facts *f)
{
	for (size_t i = f->timed.n; i-- > 1;) {
		struct timed_wait *w = &f->timed.at[i - 1];
		const struct timed_wait *next = &f->timed.at[i];
		const struct timeline *t = &m->graph->threads[w->thread];
		struct timeline_part p = {w->thread, w->stretch, next->stretch,
					  stretch_end(t, w->stretch),
					  stretch_end(t, next->stretch)};

		w->repeated = w->last != NO_STRETCH &&
			      (w->last == next->stretch || next->repeated) &&
			      is_alone(m, f, &p, NULL) && is_balanced(m, &p);
	}
}

void alone_find(const struct model *m, struct run_facts *f)
{
	loops_look(m, f);
	timed_look(m, f);
}
