#include "analysis/replay/reasons/wait_reasons.h"
#include "analysis/graph/run_end.h"
#include "analysis/replay/reasons/alone.h"
#include "analysis/replay/reasons/preempted.h"
#include "analysis/replay/recorded/outside.h"
#include "base/search.h"
#include <stdlib.h>

/* A wait that is to be explained. */
struct reason_search {
	const struct model *model;
	const struct run_facts *facts;
	uint32_t thread;
	size_t stretch;
	int64_t from, end;
	size_t cause; /* the first of the model's that is of this wait, or of a later one */
	size_t hold;  /* the first of the thread's that it has at the end of this wait, or later */
};

/* ---- the rules ---- */

static bool spun(const struct reason_search *s, struct wait_reason *w)
{
	const struct spin_loop *spins = s->facts->spins.at;
	size_t i = lower_bound(k, (size_t)0, s->facts->spins.n,
			       spins[k].thread < s->thread ||
				   (spins[k].thread == s->thread && spins[k].from < s->end));

	(void)w;
	return i && spins[i - 1].thread == s->thread && s->end <= spins[i - 1].to;
}

static bool came_to_lock(const struct reason_search *s, struct wait_reason *w)
{
	const struct model *m = s->model;

	(void)w;
	for (size_t i = s->hold; i < m->first_hold[s->thread + 1] && m->holds.at[i].start == s->end;
	     i++)
		if (m->holds.at[i].wait != NO_NUMBER)
			return true;
	return false;
}

static bool preempted(const struct reason_search *s, struct wait_reason *w)
{
	(void)w;
	return preempted_at(s->model, s->thread, s->stretch);
}

/* Another thread did something: the last cause that the model has counts. */
static bool other_thread(const struct reason_search *s, struct wait_reason *w)
{
	const struct model_cause *causes = s->model->causes.at;
	uint32_t meeting = NO_CAUSE, post = NO_CAUSE;
	const struct timed_wait *limit;

	for (size_t i = s->cause;
	     i < s->model->first_cause[s->thread + 1] && causes[i].stretch == s->stretch; i++) {
		if (causes[i].meeting)
			meeting = (uint32_t)i;
		else if (causes[i].lock == NO_LOCK)
			post = (uint32_t)i;
	}
	w->cause = meeting != NO_CAUSE ? meeting : post;
	if (meeting != NO_CAUSE) {
		w->kind = REASON_MEETING;
	} else if (post != NO_CAUSE) {
		limit = timed_wait_find(&s->facts->timed, s->thread, s->stretch);
		if (limit && !limit->timed_out)
			w->rule = (uint32_t)(limit - s->facts->timed.at);
	}
	return w->cause != NO_CAUSE;
}

static bool handed(const struct reason_search *s, struct wait_reason *w)
{
	return w->handover != NO_CAUSE && model_wait_object(s->model, s->thread, s->from) ==
					      s->model->causes.at[w->handover].lock;
}

static bool timed_out(const struct reason_search *s, struct wait_reason *w)
{
	const struct timed_wait *t = timed_wait_find(&s->facts->timed, s->thread, s->stretch);

	if (!t || t->last == NO_STRETCH)
		return false;
	w->rule = (uint32_t)(t - s->facts->timed.at);
	return true;
}

static bool timed_lock(const struct reason_search *s, struct wait_reason *w)
{
	const struct timed_lock *t = timed_lock_find(&s->facts->timed_locks, s->thread, s->stretch);

	if (!t)
		return false;
	w->rule = (uint32_t)(t - s->facts->timed_locks.at);
	return true;
}

static bool in_loop(const struct reason_search *s, struct wait_reason *w)
{
	const struct poll_loop *loops = s->facts->loops.at;
	size_t i = lower_bound(k, (size_t)0, s->facts->loops.n,
			       loops[k].thread < s->thread ||
				   (loops[k].thread == s->thread && loops[k].first <= s->stretch));

	w->rule = (uint32_t)(i - 1);
	return i && loops[i - 1].thread == s->thread && loops[i - 1].alone &&
	       poll_loop_has(&loops[i - 1], s->model, s->stretch);
}

static bool lost(const struct reason_search *s, struct wait_reason *w)
{
	(void)w;
	return lost_at(s->model, s->thread, s->stretch);
}

static bool outside(const struct reason_search *s, struct wait_reason *w)
{
	w->rule = outside_object(s->model, s->thread, s->stretch);
	return w->rule != NO_LOCK && s->facts->outside[w->rule];
}

static bool clock_came(const struct reason_search *s, struct wait_reason *w)
{
	int64_t until = deadline_find(&s->model->deadlines, s->thread, s->from);

	(void)w;
	return until != INT64_MIN && until <= s->end;
}

/*
 * A rule sets the members of the reason that its kind has. What it set is forgotten where it does
 * not explain the wait, but for the handover, which is found before.
 */
static const struct reason_rule {
	enum reason_kind kind;
	bool (*explains)(const struct reason_search *s, struct wait_reason *w);
} rules[] = {
    {REASON_SPUN, spun},
    {REASON_LOCK, came_to_lock},
    {REASON_PREEMPTED, preempted},
    {REASON_POST, other_thread},
    {REASON_HANDED, handed},
    {REASON_TIMED_OUT, timed_out},
    {REASON_TIMED_LOCK, timed_lock},
    {REASON_LOOP, in_loop},
    {REASON_LOST, lost},
    {REASON_OUTSIDE, outside},
    {REASON_CLOCK, clock_came},
};

/* ---- all waits ---- */

/*
 * Whether a thread was woken for the last time in a wait before a time; false if that is not known.
 */
static bool is_woken_before(const struct reason_search *s, int64_t from, int64_t time)
{
	const struct ready_time *r = readiness_last(s->model->readiness, s->thread, from, s->end);

	return r && r->from < time;
}

/* Finds the release of the lock that the thread was given at the end of a wait. */
static void handover_find(const struct reason_search *s, struct wait_reason *w)
{
	const struct model_cause *causes = s->model->causes.at;
	uint32_t handover = NO_CAUSE, post = NO_CAUSE;

	for (size_t i = s->cause;
	     i < s->model->first_cause[s->thread + 1] && causes[i].stretch == s->stretch; i++) {
		w->caused = true;
		if (causes[i].meeting)
			continue;
		if (causes[i].lock == NO_LOCK)
			post = (uint32_t)i;
		else
			handover = (uint32_t)i;
	}
	if (handover == NO_CAUSE)
		return;
	/* it was on its way when the lock was released, and did not wait for that */
	if (post != NO_CAUSE && is_woken_before(s, causes[post].time, causes[handover].time))
		return;
	if (!wait_came_later(s->model, s->thread, s->from, &causes[handover]))
		w->handover = handover;
}

static void wait_explain(const struct reason_search *s, struct wait_reason *w)
{
	handover_find(s, w);
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		w->kind = rules[i].kind;
		if (rules[i].explains(s, w))
			return;
		w->rule = NO_RULE;
	}
	w->kind = REASON_NONE;
}

static void thread_explain(const struct model *m, struct wait_reasons *r, uint32_t thread)
{
	const struct timeline *l = &m->graph->threads[thread];
	struct reason_search s = {.model = m,
				  .facts = r->facts,
				  .thread = thread,
				  .cause = m->first_cause[thread],
				  .hold = m->first_hold[thread]};

	for (size_t i = 0; i < l->n && !run_end_waits(l, i); i++) {
		struct wait_reason *w;

		if (l->stretches[i].activity == ACTIVITY_RUNNING)
			continue;
		s.stretch = i;
		s.from = l->stretches[i].from;
		s.end = stretch_end(l, i);
		while (s.cause < m->first_cause[thread + 1] && m->causes.at[s.cause].stretch < i)
			s.cause++;
		while (s.hold < m->first_hold[thread + 1] && m->holds.at[s.hold].start < s.end)
			s.hold++;
		w = vector_add(&r->all);
		*w = (struct wait_reason){.stretch = (uint32_t)i,
					  .cause = NO_CAUSE,
					  .handover = NO_CAUSE,
					  .rule = NO_RULE};
		wait_explain(&s, w);
	}
}

static void all_explain(const struct model *m, struct wait_reasons *r)
{
	r->all.n = r->series.n = 0;
	alone_find(m, r->facts);
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		r->first[t] = r->all.n;
		thread_explain(m, r, t);
		poll_series_find(m, r->facts, t, r->all.at + r->first[t], r->all.n - r->first[t],
				 &r->series);
	}
	r->first[m->trace->nthreads] = r->all.n;
}

static void reasons_free(struct wait_reasons *r)
{
	run_facts_free(r->facts);
	free(r->all.at);
	free(r->first);
	free(r->series.at);
	free(r);
}

const struct wait_reasons *wait_reasons_of(struct model *m, const struct hand_out *hand_out)
{
	struct wait_reasons *r = m->reasons;

	if (r && r->facts->hand_out == hand_out)
		return r;
	if (r) {
		run_facts_hand_out(r->facts, m, hand_out);
	} else {
		r = m->reasons = array_zero(1, sizeof *r);
		m->reasons_free = reasons_free;
		r->facts = run_facts_of(m, hand_out);
		r->first = array_new(m->trace->nthreads + 1, sizeof *r->first);
	}
	all_explain(m, r);
	return r;
}
