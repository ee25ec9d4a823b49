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
	size_t hold; /* the first of the thread's that it has at the end of this wait, or later */
	/* the last of the model's causes of this wait; NO_CAUSE */
	uint32_t meeting, post, handover;
	const struct timed_wait *limit; /* NULL: it has none */
};

/* ---- the rules ---- */

static uint32_t limit_number(const struct reason_search *s)
{
	return (uint32_t)(s->limit - s->facts->timed.at);
}

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

static bool other_thread(const struct reason_search *s, struct wait_reason *w)
{
	w->cause = s->meeting != NO_CAUSE ? s->meeting : s->post;
	if (s->meeting != NO_CAUSE)
		w->kind = REASON_MEETING;
	else if (s->limit && !s->limit->timed_out)
		w->rule = limit_number(s);
	return w->cause != NO_CAUSE;
}

static bool handed(const struct reason_search *s, struct wait_reason *w)
{
	return w->handover != NO_CAUSE && model_wait_object(s->model, s->thread, s->from) ==
					      s->model->causes.at[w->handover].lock;
}

static bool timed_out(const struct reason_search *s, struct wait_reason *w)
{
	if (!s->limit || s->limit->last == NO_STRETCH)
		return false;
	w->rule = limit_number(s);
	return true;
}

static bool timed_lock(const struct reason_search *s, struct wait_reason *w)
{
	if (!s->limit || s->limit->hold == NO_HOLD)
		return false;
	w->rule = limit_number(s);
	return true;
}

static bool tried(const struct reason_search *s, struct wait_reason *w)
{
	w->rule = tried_lock_at(s->model->graph, s->thread, s->stretch);
	return w->rule != NO_NUMBER;
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
    {REASON_TRIED, tried},
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

/* Returns the release of the lock that the thread was given at the end of a wait; NO_CAUSE. */
static uint32_t handover_of(const struct reason_search *s)
{
	const struct model_cause *causes = s->model->causes.at;

	if (s->handover == NO_CAUSE)
		return NO_CAUSE;
	/* it was on its way when the lock was released, and did not wait for that */
	if (s->post != NO_CAUSE &&
	    is_woken_before(s, causes[s->post].time, causes[s->handover].time))
		return NO_CAUSE;
	return wait_came_later(s->model, s->thread, s->from, &causes[s->handover]) ? NO_CAUSE
										   : s->handover;
}

/* Finds the causes of a wait; *at: in the model's, goes on to those of the next one. */
static void causes_look(struct reason_search *s, size_t *at)
{
	const struct model *m = s->model;
	size_t end = m->first_cause[s->thread + 1];

	s->meeting = s->post = s->handover = NO_CAUSE;
	while (*at < end && m->causes.at[*at].stretch < s->stretch)
		++*at;
	for (; *at < end && m->causes.at[*at].stretch == s->stretch; ++*at) {
		const struct model_cause *c = &m->causes.at[*at];

		*(c->meeting           ? &s->meeting
		  : c->lock == NO_LOCK ? &s->post
				       : &s->handover) = (uint32_t)*at;
	}
}

static void wait_explain(const struct reason_search *s, struct wait_reason *w)
{
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
	struct reason_search s = {
	    .model = m, .facts = r->facts, .thread = thread, .hold = m->first_hold[thread]};
	size_t cause = m->first_cause[thread];

	for (size_t i = 0; i < l->n && !run_end_waits(l, i); i++) {
		struct wait_reason *w;

		if (l->stretches[i].activity == ACTIVITY_RUNNING)
			continue;
		s.stretch = i;
		s.from = l->stretches[i].from;
		s.end = stretch_end(l, i);
		causes_look(&s, &cause);
		s.limit = timed_wait_find(&s.facts->timed, thread, i);
		while (s.hold < m->first_hold[thread + 1] && m->holds.at[s.hold].start < s.end)
			s.hold++;
		w = vector_add(&r->all);
		*w = (struct wait_reason){.stretch = (uint32_t)i,
					  .cause = NO_CAUSE,
					  .handover = handover_of(&s),
					  .rule = NO_RULE,
					  .caused = s.meeting != NO_CAUSE || s.post != NO_CAUSE ||
						    s.handover != NO_CAUSE};
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
		poll_series_find(m, r->facts, t, &r->all, r->first[t], &r->series);
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
