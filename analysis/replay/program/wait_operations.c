#include "analysis/replay/program/wait_operations.h"
#include "analysis/replay/program/apart_waits.h"
#include "analysis/replay/reasons/poll_sleep.h"

static const struct timeline *timeline_of(const struct operation_making *k, uint32_t thread)
{
	return &k->model->graph->threads[thread];
}

/* ---- waits that keep their length ---- */

/* A wait with an unknown cause keeps its length, unless it was removed. */
static int64_t delay_of(const struct operation_making *k, uint32_t thread, int64_t from, int64_t to)
{
	int64_t time = wait_latency(k->model, thread, from, to);
	size_t cursor = k->speed;

	if (from >= to)
		return time;
	return (int64_t)((double)time * operation_length(k, thread, &cursor, from, to).waiting /
			     (double)(to - from) +
			 0.5);
}

static bool is_changed(const struct operation_making *k, uint32_t thread, int64_t from, int64_t to)
{
	return delay_of(k, thread, from, to) != wait_latency(k->model, thread, from, to);
}

/* Returns the server of a wait that no thread ends; NO_NUMBER: none. */
static uint32_t server_of(struct operation_making *k, uint32_t thread, const struct wait_reason *w)
{
	const struct stretch *s = &timeline_of(k, thread)->stretches[w->stretch];

	if (k->rules->device && s->role != NO_ROLE &&
	    k->model->graph->waits[s->role].kind == KIND_IO)
		return 0;
	return apart_wait_server(k, thread, w);
}

/* Sets what a wait takes that no other thread ends, and what the thread runs within it. */
static void delay_set(const struct operation_making *k, uint32_t thread, struct operation *o,
		      int64_t from, int64_t to)
{
	const struct model *m = k->model;
	int64_t all = wait_latency(m, thread, from, to), left = model_leaves(m, thread, from, to);
	int64_t ready =
	    model_state_time(m, thread, STATE_READY, from, to) - model_ready(m, thread, from, to);
	const struct ready_time *last = readiness_last(m->readiness, thread, from, to);
	double kept;

	o->time = operation_time(delay_of(k, thread, from, to));
	kept = all ? (double)o->time / (double)all : 0;
	o->before = (uint32_t)(kept * wait_ran_within(m, thread, from, left, NULL));
	o->after = (uint32_t)(kept * wait_ran_within(m, thread, left, to, NULL));
	o->after = o->after < o->time ? o->after : (uint32_t)o->time;
	o->time -= o->after;
	/* its time has all of it: a state that follows may be the wait for a processor */
	if (!last && left < to)
		o->latency = 0;
	if (!last)
		return;
	o->core = last->core;
	ready = (int64_t)(kept * (double)ready);
	ready = ready < o->time ? ready : o->time;
	o->latency = (uint32_t)(ready < UINT32_MAX ? ready : UINT32_MAX - 1);
	o->switched = last->served > last->from;
	o->others = ready_time_of_others(last);
	o->time -= o->latency;
	if (o->others && o->before >= o->time) /* it left its processor before it went on */
		o->before = o->time > 0 ? (uint32_t)(o->time - 1) : 0;
}

/* What others had is in proportion to what the thread computes before and after. */
static void lost_set(struct operation_making *k, uint32_t thread, struct operation *o, int64_t from,
		     int64_t to)
{
	const struct ready_time *r = readiness_last(k->model->readiness, thread, from, to);
	int64_t lost = r->to - r->served;

	o->latency = (uint32_t)(lost < UINT32_MAX ? lost : UINT32_MAX - 1);
	o->time = lost - o->latency;
	o->core = r->core;
	o->switched = r->served > r->from;
	o->others = true;
	k->result->others.lost += lost;
	share_lost(&k->share, k->result, k->result->all.n - 1);
}

/* A wait without a known cause is a part of their sum. */
static void unexplained_add(struct operation_making *k, uint32_t thread, size_t stretch,
			    const struct operation *o, bool listed)
{
	int64_t time = operation_waited(o);

	k->result->unexplained += time;
	if (k->rules->listed && listed)
		*vector_add(&k->result->waits) = (struct unexplained_wait){time, thread, stretch};
}

/* ---- sleeps that follow each other ---- */

void wait_operations_slept(struct operation_making *k, uint32_t thread)
{
	const struct model *m = k->model;
	const struct poll_series *s;
	struct operation *o;
	int64_t back;

	if (!k->slept.is_last)
		return;
	k->slept.is_last = false;
	share_end(&k->share, k->result);
	if (k->slept.rule == NO_RULE)
		return;
	s = &k->reasons->series.at[k->slept.rule];
	/* the last sleep is repeated until the last of the others has ended */
	back = (int64_t)(k->result->all.n - k->slept.wait);
	operation_add(k, OPERATION_LOOP, operation_post(k, s->of, m->graph->threads[s->of].end),
		      s->end, 0)
	    ->time = -back;
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		const struct timeline *l = &m->graph->threads[t];

		if (t == s->of || !poll_series_awaits(s, m, t))
			continue;
		o = operation_add(k, OPERATION_WAIT, operation_post(k, t, l->end), s->end, 0);
		operation_parts(o, wait_parts_of(m, thread, s->last_from,
						 l->end > s->last_from ? l->end : s->last_from,
						 s->end));
	}
}

/* Whether a wait comes after sleeps of the same kind, or is a part of them. */
static bool is_next_sleep(const struct operation_making *k, uint32_t thread,
			  const struct wait_reason *w)
{
	return k->slept.is_last && !w->caused &&
	       (timeline_of(k, thread)->stretches[w->stretch].activity == ACTIVITY_READY ||
		poll_sleep_class(k->model, thread, w->stretch) == k->slept.class);
}

static void slept_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w)
{
	uint32_t class = poll_sleep_class(k->model, thread, w->stretch);

	if (class == NO_NUMBER)
		return;
	if (!k->slept.is_last)
		k->slept.class = class;
	k->slept.is_last = true;
	k->slept.wait = k->result->all.n - 1;
	k->slept.rule = w->kind == REASON_SERIES ? w->rule : NO_RULE;
}

/* ---- loops ---- */

/*
 * Ends a loop: the LOOP after each of its waits leaves the rest out once what the thread waits for
 * has come, and the last of them goes back until then.
 */
static void jumps_set(struct operation_making *k, struct loop_waits *l)
{
	for (size_t i = 0; i < l->places.n; i++) {
		size_t jump = l->places.at[i].jump;

		if (jump != SIZE_MAX)
			k->result->all.at[jump].time = (int64_t)(k->result->all.n - jump - 1);
	}
	l->places.n = 0;
}

static void loop_end(struct operation_making *k, int64_t time)
{
	struct loop_waits *p = &k->loop;
	const struct poll_loop *l = &k->facts->loops.at[p->rule];
	size_t last = p->places.at[p->places.n - 1].wait, end = k->result->all.n;

	share_end(&k->share, k->result);
	for (size_t i = 0; i < p->places.n; i++)
		k->result->unexplained -=
		    operation_waited(&k->result->all.at[p->places.at[i].wait]);
	jumps_set(k, p);
	operation_add(k, OPERATION_LOOP, operation_post(k, l->of, l->time), time, 0)->time =
	    -(int64_t)(end - last);
}

void wait_operations_released(struct operation_making *k, size_t hold, int64_t time)
{
	if (k->loop.places.n && k->facts->loops.at[k->loop.rule].check == hold)
		loop_end(k, time);
}

/* A sleep of a loop: the thread looks before it whether what it polls for has come. */
static void loop_sleep_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
			   double work)
{
	const struct poll_loop *l = &k->facts->loops.at[w->rule];
	const struct timeline *t = timeline_of(k, thread);
	int64_t from = t->stretches[w->stretch].from, end = stretch_end(t, w->stretch);
	bool looks = k->loop.places.n || l->looks_first;
	size_t jump = k->result->all.n;
	struct operation *o;

	k->loop.rule = w->rule;
	operation_add(k, OPERATION_LOOP, operation_post(k, l->of, l->time), from, work);
	*vector_add(&k->loop.places) =
	    (struct loop_place){looks ? jump : SIZE_MAX, k->result->all.n};
	o = operation_add(k, OPERATION_DELAY, 0, end, 0);
	delay_set(k, thread, o, from, end);
	operation_timed(k, from, end);
	o->unknown =
	    operation_unknown_share(unknown_in(k->model->unknown, thread, w->stretch), end - from);
	unexplained_add(k, thread, w->stretch, o, false);
	if (w->stretch == l->last && l->check == NO_HOLD)
		loop_end(k, end);
}

/*
 * A wait that timed out, in a loop of such waits that another thread ended in time. Where the loop
 * can be repeated it waits for the same, up to its limit; what it took after the limit stays:
 *
 *	LIMIT WAIT LOOP(forwards)   work   LIMIT WAIT LOOP(forwards)   work   LIMIT WAIT LOOP(back to the last work)
 */
static void timed_out_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
			  double work)
{
	const struct timed_wait *t = &k->facts->timed.at[w->rule];
	const struct timeline *l = timeline_of(k, thread);
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch);
	uint32_t post = operation_post(k, t->of, t->time);
	struct operation *o;

	if (k->timed.places.n && k->facts->timed.at[k->timed.rule].last != t->last)
		k->timed.places.n = 0;
	k->timed.rule = w->rule;
	o = operation_add(k, t->repeated ? OPERATION_LIMIT : OPERATION_DELAY, 0, from, work);
	o->time = t->repeated ? operation_time(t->left) : 0;
	o = operation_add(k, OPERATION_WAIT, post, end, 0);
	delay_set(k, thread, o, from, end);
	operation_timed(k, from, end);
	if (t->repeated) {
		o->time = o->time > t->left ? o->time - t->left : 0;
		*vector_add(&k->timed.places) =
		    (struct loop_place){k->result->all.n, k->result->all.n - 1};
	} else {
		o->kind = OPERATION_DELAY;
		o->what = 0;
		unexplained_add(k, thread, w->stretch, o, true);
	}
	operation_add(k, OPERATION_LOOP, post, end, 0);
}

/*
 * A wait for a lock whose time was up ends earlier if the lock is released before. There is none if
 * there is no such lock any more. The LOOP does nothing: the recorded wait ended at its limit, too.
 */
static void timed_lock_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
			   double work)
{
	const struct timed_wait *t = &k->facts->timed.at[w->rule];
	const struct model_hold *h = &k->model->holds.at[t->hold];
	const struct lock_plan *plan = k->rules->locks;
	const struct timeline *l = timeline_of(k, thread);
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch);
	uint32_t post = operation_post(k, h->thread, hold_released(h));
	struct operation *o;

	if (plan && plan->disciplines[plan->locks[t->hold]] == DISCIPLINE_NONE) {
		operation_add(k, OPERATION_DELAY, 0, end, work);
		return;
	}
	operation_add(k, OPERATION_LIMIT, 0, from, work)->time = operation_time(t->left);
	o = operation_add(k, OPERATION_WAIT, post, end, 0);
	delay_set(k, thread, o, from, end);
	o->time = o->time > t->left ? o->time - t->left : 0;
	operation_timed(k, from, end);
	operation_add(k, OPERATION_LOOP, post, end, 0);
}

/*
 * A sleep after a try of a lock that another thread has. The first one stands for all, with what
 * the thread runs for the next try.
 */
static void tried_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
		      double work)
{
	const struct tried_lock *t = &k->model->graph->tried.at[w->rule];
	const struct timeline *l = timeline_of(k, thread);
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch);
	size_t speed = k->speed;
	struct operation *o;

	if (w->stretch != t->first) {
		if (!k->tried.repeated)
			k->result->all.at[k->tried.operation].after += (uint32_t)work;
		k->tried.repeated = true;
		return;
	}
	k->tried.repeated = false;
	k->tried.operation = k->result->all.n;
	o = operation_hold(k, OPERATION_TRY, k->model->first_hold[thread] + t->hold, end, work);
	operation_timed(k, from, stretch_end(l, t->last));
	from = l->stretches[t->usual].from;
	k->speed = speeds_at(k->rules->speeds, thread, from);
	delay_set(k, thread, o, from, stretch_end(l, t->usual));
	k->speed = speed;
}

/*
 * Ends the loop of a wait with a limit, which the last two operations are. One at whose call site
 * the program repeats waits that time out is a loop by itself.
 */
static void limited_end(struct operation_making *k, const struct timed_wait *w, uint32_t post,
			int64_t end)
{
	struct loop_waits *l = &k->timed;
	size_t n = k->result->all.n;
	int64_t back = 0;

	if (l->places.n && k->facts->timed.at[l->rule].last == w->stretch)
		back = (int64_t)(n - l->places.at[l->places.n - 1].wait - 2);
	else
		l->places.n = 0;
	jumps_set(k, l);
	if (!back && w->repeats)
		back = 2;
	if (back)
		operation_add(k, OPERATION_LOOP, post, end, 0)->time = -back;
}

/* ---- waits that others end ---- */

/*
 * A wait for a push is that for the item's own, and it waits there, not when it comes for the item.
 */
static bool supply_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
		       double work)
{
	const struct timeline *l = timeline_of(k, thread);
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch), cause;
	const struct model_cause *handover =
	    w->handover != NO_CAUSE ? &k->model->causes.at[w->handover] : NULL;
	struct operation *o;

	if (k->supply.stretch == NO_STRETCH || from >= k->supply.until || w->kind != REASON_POST)
		return false;
	if (w->stretch != k->supply.stretch) {
		operation_add(k, OPERATION_DELAY, 0, end, work);
		return true;
	}
	cause = k->model->causes.at[w->cause].time;
	if (cause <= k->supply.pushed && k->supply.pushed < end)
		cause = k->supply.pushed;
	o = operation_add(k, OPERATION_WAIT, k->supply.push, end, work);
	operation_parts(o,
			wait_parts_of(k->model, thread, from, cause,
				      handover && handover->time > cause ? handover->time : end));
	return true;
}

size_t wait_operations_supplied(const struct operation_making *k, uint32_t thread, int64_t until)
{
	const struct timeline *l = timeline_of(k, thread);
	size_t found = NO_STRETCH;

	for (size_t i = k->coming.wait; i < k->reasons->first[thread + 1]; i++) {
		const struct wait_reason *w = &k->reasons->all.at[i];

		if (l->stretches[w->stretch].from >= until)
			break;
		if (w->kind == REASON_POST)
			found = w->stretch;
	}
	return found;
}

/*
 * Adds a wait that another thread ended, up to its limit. Who is handed items waits for the next
 * one, whichever it is.
 */
static void post_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
		     double work)
{
	const struct timeline *t = timeline_of(k, thread);
	const struct model_cause *c = &k->model->causes.at[w->cause];
	const struct model_cause *handover =
	    w->handover != NO_CAUSE ? &k->model->causes.at[w->handover] : NULL;
	const struct timed_wait *limit = w->rule != NO_RULE && !operation_is_handed_items(k, thread)
					     ? &k->facts->timed.at[w->rule]
					     : NULL;
	int64_t from = t->stretches[w->stretch].from, end = stretch_end(t, w->stretch);
	uint32_t post = operation_post(k, c->from, c->time);
	struct operation *o;

	if (limit) {
		operation_add(k, OPERATION_DELAY, 0, from, work); /* what is not repeated */
		operation_add(k, OPERATION_LIMIT, 0, from, 0)->time = operation_time(limit->left);
		work = 0;
	}
	o = operation_add(k, OPERATION_WAIT, post, end, work);
	/* where a lock had to be waited for after it, that took the rest of the time */
	operation_parts(o, wait_parts_of(k->model, thread, from, c->time,
					 handover && handover->time > c->time ? c->time : end));
	operation_timed(k, from, end);
	if (limit)
		limited_end(k, limit, post, end);
}

/*
 * The last thread to come to a meeting does not wait. Other programs may have its processor while
 * it lets the others go on.
 */
static void meeting_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
			double work)
{
	const struct timeline *l = timeline_of(k, thread);
	const struct model_cause *c = &k->model->causes.at[w->cause];
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch), time;
	const struct ready_time *r = readiness_last(k->model->readiness, thread, from, end);
	struct wait_parts p = wait_parts_of(k->model, thread, from, c->time, end);
	bool lost = c->from == thread && p.others;
	struct operation *o;

	time = operation_time(p.time);
	if (lost) {
		p.time = 0;
		p.latency = NO_LATENCY;
		p.others = false;
	}
	o = operation_add(k, OPERATION_MEET, moment_number(&k->facts->meetings, c->from, c->time),
			  end, work);
	operation_parts(o, p);
	operation_timed(k, from, lost ? r->from : end);
	if (!lost)
		return;
	o = operation_add(k, OPERATION_DELAY, 0, end, 0);
	lost_set(k, thread, o, from, end);
	o->time += time;
	k->result->unexplained += operation_waited(o);
	operation_timed(k, r->from, end);
}

/* A thread is preempted, or yields. */
static void preempted_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
			  double work)
{
	const struct timeline *l = timeline_of(k, thread);
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch);
	const struct ready_time *r = readiness_last(k->model->readiness, thread, from, end);
	struct operation *o = operation_add(k, OPERATION_YIELD, 0, end, work);

	o->time = r->turn < DEFAULT_SLICE ? 0 : r->turn;
	o->latency = (uint32_t)(r->to - r->served);
	o->core = r->core;
	o->switched = true;
	operation_timed(k, from, end);
}

/* Whether a wait is for work that comes by time, whatever the thread does. */
static bool awaits_open(const struct operation_making *k, uint32_t thread,
			const struct wait_reason *w)
{
	const struct stretch *s = &timeline_of(k, thread)->stretches[w->stretch];

	return k->rules->open && k->rules->open[thread] && w->kind == REASON_NONE &&
	       s->activity == ACTIVITY_WAITING && s->role != NO_ROLE &&
	       k->model->graph->waits[s->role].interval->idle;
}

/* A wait that no other thread of the program is known to have ended. */
static void delay_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
		      double work)
{
	const struct timeline *t = timeline_of(k, thread);
	int64_t from = t->stretches[w->stretch].from, end = stretch_end(t, w->stretch), until;
	uint32_t server = server_of(k, thread, w);
	struct operation *o;

	if (w->kind == REASON_SERIES) {
		const struct poll_series *s = &k->reasons->series.at[w->rule];
		int64_t ended = k->model->graph->threads[s->of].end;

		o = operation_add(k, OPERATION_POLL, operation_post(k, s->of, ended), end, work);
	} else if (server != NO_NUMBER) {
		o = operation_add(k, OPERATION_SERVE, server, end, work);
	} else {
		o = operation_add(k, OPERATION_DELAY, 0, end, work);
	}
	if (w->kind == REASON_LOST)
		lost_set(k, thread, o, from, end);
	else
		delay_set(k, thread, o, from, end);
	operation_timed(k, from, end);
	/* a sleep until a time of a clock ends then again, unless it is to be shorter */
	if (w->kind == REASON_CLOCK && server == NO_NUMBER && !is_changed(k, thread, from, end)) {
		until = deadline_find(&k->model->deadlines, thread, from);
		o->kind = OPERATION_UNTIL;
		o->time = operation_time(until);
		return;
	}
	if (awaits_open(k, thread, w) && !is_changed(k, thread, from, end)) {
		o->kind = OPERATION_UNTIL;
		o->time = operation_time(from + o->time);
		return;
	}
	o->unknown =
	    operation_unknown_share(unknown_in(k->model->unknown, thread, w->stretch), end - from);
	if (w->kind != REASON_SERIES)
		unexplained_add(k, thread, w->stretch, o, operation_waited(o) != 0);
	slept_add(k, thread, w);
}

/* ---- waits for slots ---- */

/* Returns the semaphore whose slots are changed that a wait is for; NO_NUMBER: it is for none. */
static uint32_t semaphore_of(const struct operation_making *k, uint32_t thread,
			     const struct wait_reason *w)
{
	const struct lock_plan *plan = k->rules->locks;
	const struct stretch *s = &timeline_of(k, thread)->stretches[w->stretch];

	if (!plan || !plan->slots || s->timed_out || s->activity != ACTIVITY_WAITING)
		return NO_NUMBER;
	return slot_number(plan->slots, model_wait_object(k->model, thread, s->from));
}

/* A wait for a slot comes about, or does not. */
static void slot_take_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
			  uint32_t semaphore, double work)
{
	const struct timeline *l = timeline_of(k, thread);
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch);
	int64_t cause = w->cause != NO_CAUSE ? k->model->causes.at[w->cause].time : end;
	struct operation *o = operation_slot(k, OPERATION_TAKE, semaphore, end, work);

	operation_parts(o, wait_parts_of(k->model, thread, from, cause, end));
	operation_timed(k, from, end);
}

/* ---- all waits ---- */

/*
 * What a lock took that the thread was given at the end of a wait, in which it waited for it once
 * another thread had let it go on.
 */
static void handed_set(struct operation_making *k, uint32_t thread, const struct wait_reason *w)
{
	const struct timeline *l = timeline_of(k, thread);
	const struct model_cause *c = &k->model->causes.at[w->handover];
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch);

	if (w->kind == REASON_POST && k->model->causes.at[w->cause].time < c->time)
		from = k->model->causes.at[w->cause].time;
	k->handed =
	    (struct handed){end, c->lock, wait_parts_of(k->model, thread, from, c->time, end)};
}

void wait_operations_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
			 double work)
{
	const struct timeline *l = timeline_of(k, thread);
	int64_t from = l->stretches[w->stretch].from, end = stretch_end(l, w->stretch);
	uint32_t semaphore = semaphore_of(k, thread, w);

	if (!is_next_sleep(k, thread, w))
		wait_operations_slept(k, thread);
	if (w->handover != NO_CAUSE && w->kind != REASON_PREEMPTED)
		handed_set(k, thread, w);
	if (supply_add(k, thread, w, work))
		return;
	if (semaphore != NO_NUMBER) {
		slot_take_add(k, thread, w, semaphore, work);
		return;
	}
	switch (w->kind) {
	case REASON_PREEMPTED:
		preempted_add(k, thread, w, work);
		break;
	case REASON_MEETING:
		meeting_add(k, thread, w, work);
		break;
	case REASON_POST:
		post_add(k, thread, w, work);
		break;
	case REASON_HANDED: /* it comes about */
		operation_add(k, OPERATION_DELAY, 0, from, work);
		break;
	case REASON_TIMED_OUT:
		if (operation_is_handed_items(k, thread) || is_changed(k, thread, from, end))
			delay_add(k, thread, w, work);
		else
			timed_out_add(k, thread, w, work);
		break;
	case REASON_TIMED_LOCK:
		if (operation_is_handed_items(k, thread) || is_changed(k, thread, from, end))
			delay_add(k, thread, w, work);
		else
			timed_lock_add(k, thread, w, work);
		break;
	case REASON_TRIED:
		tried_add(k, thread, w, work);
		break;
	case REASON_LOOP:
		if (operation_is_handed_items(k, thread))
			delay_add(k, thread, w, work);
		else
			loop_sleep_add(k, thread, w, work);
		break;
	default:
		delay_add(k, thread, w, work);
	}
}

void wait_operations_end(struct operation_making *k, uint32_t thread)
{
	wait_operations_slept(k, thread);
	k->loop.places.n = k->timed.places.n = 0;
}
