#include "analysis/replay/program/operations.h"
#include "analysis/graph/run_end.h"
#include "analysis/replay/program/pieces.h"
#include "analysis/replay/program/poll_series.h"
#include "analysis/replay/program/share.h"
#include "analysis/replay/program/timed_loop.h"
#include "analysis/replay/reasons/run_facts.h"
#include "analysis/replay/recorded/event_counter.h"
#include "analysis/replay/recorded/outside.h"
#include "base/search.h"
#include "base/sort.h"
#include <stdlib.h>

/* What happens at one time: what ends comes before what begins. */
enum item_order {
	ITEM_RELEASE,
	ITEM_POST,
	ITEM_WAITED,
	ITEM_NEED,
	ITEM_MARK,
	ITEM_REQUEST,
	ITEM_TAKE,
	ITEM_NONE
};

struct thread_item {
	int64_t time;
	enum item_order order;
	/* of the hold, the post, the stretch, the need, the mark or the request to a device */
	size_t number;
};

/* What is still to come of one thread, each in order. */
struct coming {
	size_t stretch, post, need, hold, mark, request;
	/* holds that were taken, by their release, the last one first */
	VECTOR(size_t) held;
};

struct operations_context {
	struct model *model;
	const struct operation_rules *rules;
	const struct run_facts *facts;
	struct operations *result;
	struct coming coming;
	/* the lock that the thread was given at the end of its last wait */
	struct handed {
		int64_t time;
		uint32_t lock;
		struct wait_parts taken;
	} handed;
	size_t stretch, speed; /* of that thread, up to which its work is done */
	struct poll_series polls;
	struct timed_loop timed_loop; /* that the thread is in */
	size_t spin;                  /* the next of the facts' */
	/* in the loop that the thread is in, or comes to next */
	struct looping {
		size_t at; /* of the loops */
		/* operations; sleeps follow those that leave them out */
		VECTOR(size_t) skips, sleeps;
		size_t last;         /* operation of the last sleep */
		size_t first_listed; /* of the waits without a known cause */
	} looping;
	struct share_search share; /* of the processors, that the thread gets beside others */
	double excess;             /* of calls on locks, not yet taken off its work */
	struct event_counter events;
	marked_operations marked; /* where items begin and end */
	/* the wait for the item's push, while the thread takes the item */
	struct {
		size_t operation;
		int64_t pushed, until; /* until: -1: none */
	} supply;
};

static uint32_t post_number(const struct operations_context *k, uint32_t thread, int64_t time)
{
	return moment_number(&k->facts->posts, thread, time);
}

/* ---- the causes of a wait ---- */

struct wait_reasons {
	const struct model_cause *handover, *post, *meeting; /* the last of each; NULL */
};

/* *at: in the causes; goes on to those of the next stretch. */
static struct wait_reasons reasons_of(const struct model *m, uint32_t thread, size_t stretch,
				      size_t *at)
{
	struct wait_reasons r = {0};
	size_t end = m->first_cause[thread + 1];

	while (*at < end && m->causes.at[*at].stretch < stretch)
		++*at;
	for (; *at < end && m->causes.at[*at].stretch == stretch; ++*at) {
		const struct model_cause *c = &m->causes.at[*at];

		if (c->meeting)
			r.meeting = c;
		else if (c->lock != NO_LOCK)
			r.handover = c;
		else
			r.post = c;
	}
	return r;
}

/* ---- the operations of one thread ---- */

static struct operation *operation_add(struct operations_context *k, enum operation_kind kind,
				       uint32_t what, int64_t recorded, double work)
{
	struct operation *o = vector_add(&k->result->all);

	*o = (struct operation){.work = operation_work(work),
				.what = what,
				.kind = kind,
				.latency = NO_LATENCY,
				.core = NO_CORE};
	if (k->rules->timed)
		*vector_add(&k->result->times) = (struct operation_times){recorded, recorded};
	return o;
}

/* Sets when a thread came to the last operation and was done. */
static void timed_set(struct operations_context *k, int64_t began, int64_t done)
{
	if (k->rules->timed)
		k->result->times.at[k->result->times.n - 1] = (struct operation_times){began, done};
}

/* Sets what a wait takes once its cause has come. */
static void parts_set(struct operation *o, struct wait_parts p)
{
	o->time = operation_time(p.time);
	o->before = p.before;
	o->after = p.after;
	o->latency = p.latency;
	o->core = p.core;
	o->switched = p.switched;
	o->others = p.others;
}

static struct kept_time length_of(const struct operations_context *k, uint32_t thread,
				  size_t *cursor, int64_t from, int64_t to)
{
	const struct speeds *s = k->rules->speeds;
	double all = (double)(to - from);

	return s ? speeds_length(s, s->first[thread + 1], cursor, from, to)
		 : (struct kept_time){all, all};
}

/* Returns what the thread runs from one item to the next, at its speed. */
static double work_until(struct operations_context *k, uint32_t thread, int64_t from, int64_t to)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	double sum = 0, recorded = 0, cost;

	for (; k->stretch < l->n && l->stretches[k->stretch].from < to; k->stretch++) {
		const struct stretch *s = &l->stretches[k->stretch];
		int64_t end = stretch_end(l, k->stretch);
		int64_t a = s->from > from ? s->from : from, b = end < to ? end : to;

		if (s->activity == ACTIVITY_RUNNING && a < b) {
			sum += length_of(k, thread, &k->speed, a, b).running;
			recorded += (double)(b - a);
		}
		if (end > to)
			break;
	}
	k->result->others.running += recorded;
	share_computed(&k->share, k->result, recorded, sum);
	if (!k->rules->without_cost || from >= to)
		return sum;
	cost = event_counter_cost(&k->events, to);
	if (recorded <= cost)
		return 0;
	return sum == recorded ? recorded - cost : sum * (recorded - cost) / recorded;
}

/* A wait of which nobody knows why it ended keeps its length; what is gone waits no more. */
static int64_t delay_of(const struct operations_context *k, uint32_t thread, int64_t from,
			int64_t to)
{
	int64_t time = wait_latency(k->model, thread, from, to);
	size_t cursor = k->speed;

	if (from >= to)
		return time;
	return (int64_t)((double)time * length_of(k, thread, &cursor, from, to).waiting /
			     (double)(to - from) +
			 0.5);
}

/* Returns the device or the object that a wait which no thread ends is for; NO_NUMBER: none. */
static uint32_t server_of(const struct operations_context *k, uint32_t thread, size_t stretch)
{
	const struct stretch *s = &k->model->graph->threads[thread].stretches[stretch];
	uint32_t object;

	if (k->rules->device && s->role != NO_ROLE &&
	    k->model->graph->waits[s->role].kind == KIND_IO)
		return 0;
	object = outside_object(k->model, thread, stretch);
	return object != NO_LOCK && k->facts->outside[object] ? k->result->ndevices + object
							      : NO_NUMBER;
}

/* Sets what a wait takes that no other thread ends, and what the thread runs within it. */
static void delay_set(const struct operations_context *k, uint32_t thread, struct operation *o,
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

/* Whether other programs took the processor of a thread that ran. */
static bool is_lost(const struct operations_context *k, uint32_t thread, size_t stretch)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	const struct ready_time *r = readiness_last(
	    k->model->readiness, thread, l->stretches[stretch].from, stretch_end(l, stretch));

	return l->stretches[stretch].activity == ACTIVITY_READY && r && r->turn >= 0 &&
	       r->from == l->stretches[stretch].from && ready_time_of_others(r);
}

/* What others had is in proportion to what the thread computes before and after. */
static void lost_set(struct operations_context *k, uint32_t thread, struct operation *o,
		     int64_t from, int64_t to)
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

/*
 * What a lock took that the thread was given at the end of a wait, in which it waited for it from a
 * time on.
 */
static void handed_set(struct operations_context *k, uint32_t thread, int64_t from, int64_t cause,
		       int64_t end, uint32_t lock)
{
	k->handed = (struct handed){end, lock, wait_parts_of(k->model, thread, from, cause, end)};
}

/*
 * Whether a thread was woken for the last time between two times before a third one; false if that
 * is not known.
 */
static bool is_woken_before(const struct model *m, uint32_t thread, int64_t from, int64_t to,
			    int64_t time)
{
	const struct ready_time *r = readiness_last(m->readiness, thread, from, to);

	return r && r->from < time;
}

/*
 * A thread is preempted, or yields. Where other programs had the processor it is a delay.
 */
static bool preempted_add(struct operations_context *k, uint32_t thread, size_t stretch,
			  double work)
{
	enum { OTHERS = 10 }; /* so many times the usual latency: other programs ran */
	const struct readiness *readiness = k->model->readiness;
	const struct timeline *l = &k->model->graph->threads[thread];
	int64_t from = l->stretches[stretch].from, end = stretch_end(l, stretch);
	const struct ready_time *r = readiness_last(readiness, thread, from, end);
	struct operation *o;

	if (l->stretches[stretch].activity != ACTIVITY_READY || !r || r->turn < 0 ||
	    r->served == r->from || r->to - r->served > OTHERS * readiness->switching ||
	    ready_time_of_others(r))
		return false;
	o = operation_add(k, OPERATION_YIELD, 0, end, work);
	o->time = r->turn < DEFAULT_SLICE ? 0 : r->turn;
	o->latency = (uint32_t)(r->to - r->served);
	o->core = r->core;
	o->switched = true;
	timed_set(k, from, end);
	return true;
}

/* Takes waits off those without a known cause, from one on, but for waits for a processor. */
static void listed_drop(struct operations_context *k, size_t first)
{
	struct operations *o = k->result;
	size_t kept = first;

	for (size_t i = first; i < o->waits.n; i++) {
		const struct unexplained_wait *w = &o->waits.at[i];

		if (k->model->graph->threads[w->thread].stretches[w->stretch].activity ==
		    ACTIVITY_READY)
			o->waits.at[kept++] = *w;
	}
	o->waits.n = kept;
}

/*
 * If a series of sleeps was a poll, the thread stops sleeping once those that it polls for have
 * ended.
 */
static void polls_end(struct operations_context *k, uint32_t thread)
{
	const struct model *m = k->model;
	struct poll_series *s = &k->polls;
	uint32_t last;
	size_t n = s->sleeps.n;
	int64_t back;

	if (!n)
		return;
	share_end(&k->share, k->result);
	last = poll_series_for(s, m, thread);
	s->sleeps.n = 0;
	if (last == NO_THREAD)
		return;
	listed_drop(k, s->first_listed);
	/* the last sleep is repeated until then */
	back = (int64_t)(k->result->all.n - s->sleeps.at[n - 1]);
	operation_add(k, OPERATION_LOOP, post_number(k, last, m->graph->threads[last].end), s->end,
		      0)
	    ->time = -back;
	for (size_t i = 0; i < n; i++) {
		struct operation *o = &k->result->all.at[s->sleeps.at[i]];

		k->result->unexplained -= operation_waited(o);
		o->kind = OPERATION_POLL;
		o->what = post_number(k, last, m->graph->threads[last].end);
	}
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		const struct timeline *l = &m->graph->threads[t];
		struct operation *o;

		if (t == last || !poll_series_awaits(s, m, thread, t))
			continue;
		o = operation_add(k, OPERATION_WAIT, post_number(k, t, l->end), s->end, 0);
		parts_set(o, wait_parts_of(m, thread, s->last_from,
					   l->end > s->last_from ? l->end : s->last_from, s->end));
	}
}

/* Whether a thread goes on with items that it is handed: it leaves out and repeats nothing then. */
static bool is_handed_items(const struct operations_context *k, uint32_t thread)
{
	const struct hand_out *h = k->rules->hand_out;

	return h && h->first_mark[thread] < h->first_mark[thread + 1];
}

/* Returns the loop that a thread is in at a stretch. NULL: it is in none. */
static const struct poll_loop *loop_at(const struct operations_context *k, uint32_t thread,
				       size_t stretch)
{
	const struct poll_loop *l =
	    k->looping.at < k->facts->loops.n ? &k->facts->loops.at[k->looping.at] : NULL;

	/* who is handed items goes back in no loop: it would leave the item */
	if (is_handed_items(k, thread))
		return NULL;
	return l && l->thread == thread && poll_loop_has(l, k->model, stretch) ? l : NULL;
}

/*
 * Leaves sleeps out once what the thread polls for has come, and repeats the last one until then.
 */
static void loop_end(struct operations_context *k, const struct poll_loop *l, int64_t time)
{
	struct looping *p = &k->looping;
	size_t end = k->result->all.n;
	bool good = p->skips.n != 0;

	share_end(&k->share, k->result);
	for (size_t i = good ? p->skips.at[0] : end; i < end; i++)
		good &= !operation_concerns_others(&k->result->all.at[i]);
	for (size_t i = 0; i < p->skips.n; i++) {
		struct operation *o = &k->result->all.at[p->skips.at[i]];

		o->time = good && (i || l->looks_first) ? (int64_t)(end - p->skips.at[i] - 1) : 0;
		if (good)
			k->result->unexplained -=
			    operation_waited(&k->result->all.at[p->sleeps.at[i]]);
	}
	if (good) {
		listed_drop(k, p->first_listed);
		operation_add(k, OPERATION_LOOP, post_number(k, l->of, l->time), time, 0)->time =
		    -(int64_t)(end - p->last);
	}
	p->skips.n = p->sleeps.n = 0;
	p->at++;
}

/* Begins a sleep of a loop. */
static void loop_sleep(struct operations_context *k, const struct poll_loop *l, int64_t from,
		       double work)
{
	struct looping *p = &k->looping;

	if (!p->skips.n)
		p->first_listed = k->result->waits.n;
	*vector_add(&p->skips) = k->result->all.n;
	operation_add(k, OPERATION_LOOP, post_number(k, l->of, l->time), from, work);
	p->last = k->result->all.n;
	*vector_add(&p->sleeps) = p->last;
}

/*
 * A sleep that ended at a time of a clock ends then again, unless it is to be shorter. Returns
 * whether it is one.
 */
static bool until_set(const struct operations_context *k, uint32_t thread, struct operation *o,
		      int64_t from, int64_t end)
{
	int64_t until = deadline_find(&k->model->deadlines, thread, from);

	if (until == INT64_MIN || until > end || o->kind != OPERATION_DELAY ||
	    delay_of(k, thread, from, end) != wait_latency(k->model, thread, from, end))
		return false;
	o->kind = OPERATION_UNTIL;
	o->time = operation_time(until);
	return true;
}

/*
 * Adds a wait that timed out in a loop, unless its length is to be another. Returns whether it has.
 */
static bool timed_out_add(struct operations_context *k, uint32_t thread, size_t stretch,
			  double work)
{
	const struct timeline *t = &k->model->graph->threads[thread];
	const struct timed_wait *w = timed_wait_find(&k->facts->timed, thread, stretch);
	int64_t from = t->stretches[stretch].from, end = stretch_end(t, stretch);
	struct operation *o;

	if (!w || w->last == NO_STRETCH || is_handed_items(k, thread) ||
	    delay_of(k, thread, from, end) != wait_latency(k->model, thread, from, end))
		return false;
	operation_add(k, OPERATION_DELAY, 0, from, work);
	o = operation_add(k, OPERATION_DELAY, 0, end, 0);
	delay_set(k, thread, o, from, end);
	timed_set(k, from, end);
	k->result->unexplained += operation_waited(o);
	operation_add(k, OPERATION_LOOP, post_number(k, w->of, w->time), end, 0);
	timed_loop_add(&k->timed_loop, k->result, w);
	if (k->rules->listed)
		*vector_add(&k->result->waits) = (struct unexplained_wait){
		    operation_waited(&k->result->all.at[k->result->all.n - 2]), thread, stretch};
	return true;
}

/*
 * Ends the loop of a wait with a limit, which the last two operations are. One at whose call site
 * the program repeats waits that time out is a loop by itself.
 */
static void limited_end(struct operations_context *k, const struct timed_wait *w, uint32_t post,
			int64_t end)
{
	int64_t back = 0;

	if (k->timed_loop.waits.n && k->timed_loop.last == w->stretch)
		back = timed_loop_end(&k->timed_loop, k->result);
	if (back)
		listed_drop(k, k->timed_loop.first_listed);
	else if (w->repeats)
		back = 2;
	if (back)
		operation_add(k, OPERATION_LOOP, post, end, 0)->time = -back;
}

/*
 * Adds a wait that another thread ended, up to its limit. Who is handed items waits for the next
 * one, whichever it is.
 */
static void ended_add(struct operations_context *k, uint32_t thread, size_t stretch,
		      const struct wait_reasons *r, double work)
{
	const struct timeline *t = &k->model->graph->threads[thread];
	const struct timed_wait *w = timed_wait_find(&k->facts->timed, thread, stretch);
	int64_t from = t->stretches[stretch].from, end = stretch_end(t, stretch);
	uint32_t post = post_number(k, r->post->from, r->post->time);
	bool limited = w && !w->timed_out && !is_handed_items(k, thread);
	struct operation *o;

	if (limited) {
		operation_add(k, OPERATION_DELAY, 0, from, work); /* what is not repeated */
		operation_add(k, OPERATION_LIMIT, 0, from, 0)->time = operation_time(w->left);
		work = 0;
	}
	o = operation_add(k, OPERATION_WAIT, post, end, work);
	/* where a lock had to be waited for after it, that took the rest of the time */
	parts_set(o, wait_parts_of(k->model, thread, from, r->post->time,
				   r->handover && r->handover->time > r->post->time ? r->post->time
										    : end));
	timed_set(k, from, end);
	if (limited)
		limited_end(k, w, post, end);
}

static uint8_t unknown_share(int64_t unknown, int64_t all)
{
	return all > 0 ? (uint8_t)((double)unknown / (double)all * ALL_UNKNOWN + 0.5) : 0;
}

/* A wait of which nobody knows why it ended. */
static void delay_add(struct operations_context *k, uint32_t thread, size_t stretch, double work)
{
	const struct timeline *t = &k->model->graph->threads[thread];
	const struct poll_loop *l = loop_at(k, thread, stretch);
	int64_t from = t->stretches[stretch].from, end = stretch_end(t, stretch), time;
	uint32_t server = server_of(k, thread, stretch);
	struct operation *o;

	if (timed_out_add(k, thread, stretch, work))
		return;
	if (l) {
		loop_sleep(k, l, from, work);
		work = 0;
	}
	o = operation_add(k, server == NO_NUMBER ? OPERATION_DELAY : OPERATION_SERVE,
			  server == NO_NUMBER ? 0 : server, end, work);
	if (is_lost(k, thread, stretch))
		lost_set(k, thread, o, from, end);
	else
		delay_set(k, thread, o, from, end);
	time = operation_waited(o);
	timed_set(k, from, end);
	if (!l && until_set(k, thread, o, from, end))
		return;
	o->unknown = unknown_share(unknown_in(k->model->unknown, thread, stretch), end - from);
	k->result->unexplained += time;
	if (!l)
		poll_series_add(&k->polls, k->model, k->result, thread, stretch);
	if (k->rules->listed && time)
		*vector_add(&k->result->waits) = (struct unexplained_wait){time, thread, stretch};
	if (l && stretch == l->last && l->check == NO_HOLD)
		loop_end(k, l, end);
}

/*
 * A wait for a push is that for the item's own, and it waits there, not when it comes for the item.
 */
static bool supply_waited(struct operations_context *k, uint32_t thread, size_t stretch,
			  const struct wait_reasons *r, double work)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	int64_t from = l->stretches[stretch].from, end = stretch_end(l, stretch), cause;
	struct operation *o;
	uint32_t push;

	if (from >= k->supply.until || !r->post)
		return false;
	cause = r->post->time > k->supply.pushed || k->supply.pushed >= end ? r->post->time
									    : k->supply.pushed;
	o = &k->result->all.at[k->supply.operation];
	push = o->what;
	*o = (struct operation){
	    .kind = OPERATION_DELAY, .work = o->work, .latency = NO_LATENCY, .core = NO_CORE};
	k->supply.operation = k->result->all.n;
	o = operation_add(k, OPERATION_WAIT, push, end, work);
	parts_set(
	    o, wait_parts_of(k->model, thread, from, cause,
			     r->handover && r->handover->time > cause ? r->handover->time : end));
	return true;
}

/*
 * The last thread to come to a meeting, which the last operation is, does not wait. Other programs
 * may have its processor while it lets the others go on.
 */
static void last_comer_add(struct operations_context *k, uint32_t thread, int64_t from, int64_t end)
{
	const struct ready_time *r = readiness_last(k->model->readiness, thread, from, end);
	size_t meeting = k->result->all.n - 1;
	struct operation *o;

	if (!k->result->all.at[meeting].others)
		return;
	timed_set(k, from, r->from);
	o = operation_add(k, OPERATION_DELAY, 0, end, 0);
	lost_set(k, thread, o, from, end);
	o->time += k->result->all.at[meeting].time;
	k->result->unexplained += operation_waited(o);
	timed_set(k, r->from, end);
	o = &k->result->all.at[meeting];
	o->time = 0;
	o->latency = NO_LATENCY;
	o->others = false;
}

static void waited_add(struct operations_context *k, uint32_t thread, size_t stretch, size_t *cause,
		       double work)
{
	const struct model *m = k->model;
	const struct timeline *l = &m->graph->threads[thread];
	int64_t from = l->stretches[stretch].from, end = stretch_end(l, stretch);
	struct wait_reasons r = reasons_of(m, thread, stretch, cause);
	struct operation *o;

	if (r.handover || r.post || r.meeting ||
	    !poll_series_continues(&k->polls, m, thread, stretch))
		polls_end(k, thread);
	if (preempted_add(k, thread, stretch, work)) {
		poll_series_add(&k->polls, m, k->result, thread, stretch);
		return;
	}
	/* it was on its way when the lock was released, and did not wait for that */
	if (r.handover && r.post && is_woken_before(m, thread, r.post->time, end, r.handover->time))
		r.handover = NULL;
	if (r.handover && wait_came_later(m, thread, from, r.handover))
		r.handover = NULL;
	if (r.handover)
		handed_set(k, thread,
			   r.post && r.post->time < r.handover->time ? r.post->time : from,
			   r.handover->time, end, r.handover->lock);
	if (supply_waited(k, thread, stretch, &r, work))
		return;
	if (r.meeting) {
		o = operation_add(
		    k, OPERATION_MEET,
		    moment_number(&k->facts->meetings, r.meeting->from, r.meeting->time), end,
		    work);
		parts_set(o, wait_parts_of(m, thread, from, r.meeting->time, end));
		timed_set(k, from, end);
		if (r.meeting->from == thread)
			last_comer_add(k, thread, from, end);
	} else if (r.post) {
		ended_add(k, thread, stretch, &r, work);
	} else if (r.handover && model_wait_object(m, thread, from) == r.handover->lock) {
		operation_add(k, OPERATION_DELAY, 0, from, work); /* it comes about */
	} else {
		delay_add(k, thread, stretch, work);
	}
}

/* Sets what it took to have a lock that another thread released. */
static void take_set(const struct operations_context *k, uint32_t thread, struct operation *o,
		     const struct model_hold *h)
{
	const struct model *m = k->model;

	if (h->wait != NO_NUMBER) {
		const struct model_wait *w = &m->contended.at[h->wait];
		int64_t left;

		parts_set(o, wait_parts_of(m, thread, w->arrived, w->since, hold_taken(h)));
		/*
		 * what it ran each time that it was woken and another one had the lock comes about
		 */
		left = model_leaves(m, thread, w->arrived, w->since) - w->arrived;
		o->before = left < o->before ? (uint32_t)left : o->before;
		if (o->latency == NO_LATENCY && o->before < k->facts->handover.before)
			o->before = k->facts->handover.before;
	} else if (k->handed.time == h->start && k->handed.lock == h->lock) {
		parts_set(o, k->handed.taken);
	} else {
		o->time = k->facts->handover.time;
		o->before = k->facts->handover.before;
		o->after = k->facts->handover.after;
	}
	if (k->facts->spun[h->lock])
		o->before = OPERATION_SPINS;
}

static void coming_offer(struct thread_item *first, int64_t time, enum item_order order,
			 size_t number)
{
	if (time < first->time || (time == first->time && order < first->order))
		*first = (struct thread_item){time, order, number};
}

/* Whether a stretch is a wait for a lock, which comes about. */
static bool is_lock_wait(const struct operations_context *k, uint32_t thread, size_t stretch)
{
	const struct model *m = k->model;
	int64_t end = stretch_end(&m->graph->threads[thread], stretch);
	size_t i = k->coming.hold;

	/* it comes to the lock before the stretch ends, which is when it has it */
	while (i > m->first_hold[thread] && m->holds.at[i - 1].start >= end)
		i--;
	for (; i < m->first_hold[thread + 1] && m->holds.at[i].start == end; i++)
		if (m->holds.at[i].wait != NO_NUMBER)
			return true;
	return false;
}

static void held_add(struct operations_context *k, size_t hold)
{
	const struct model_hold *holds = k->model->holds.at;
	size_t i = k->coming.held.n;

	*vector_add(&k->coming.held) = hold;
	for (; i && hold_released(&holds[k->coming.held.at[i - 1]]) < hold_released(&holds[hold]);
	     i--)
		k->coming.held.at[i] = k->coming.held.at[i - 1];
	k->coming.held.at[i] = hold;
}

/* Finds what a thread does next. Returns false at its end. */
static bool item_next(struct operations_context *k, uint32_t thread, struct thread_item *next)
{
	const struct model *m = k->model;
	const struct timeline *l = &m->graph->threads[thread];
	struct coming *c = &k->coming;

	*next = (struct thread_item){.time = INT64_MAX, .order = ITEM_NONE};
	while (c->stretch < l->n && !run_end_waits(l, c->stretch) &&
	       (l->stretches[c->stretch].activity == ACTIVITY_RUNNING ||
		is_lock_wait(k, thread, c->stretch)))
		c->stretch++;
	if (c->stretch < l->n && !run_end_waits(l, c->stretch))
		coming_offer(next, stretch_end(l, c->stretch), ITEM_WAITED, c->stretch);
	if (c->held.n)
		coming_offer(next, hold_released(&m->holds.at[c->held.at[c->held.n - 1]]),
			     ITEM_RELEASE, c->held.at[c->held.n - 1]);
	if (c->hold < m->first_hold[thread + 1])
		coming_offer(next, hold_arrived(m, &m->holds.at[c->hold]), ITEM_TAKE, c->hold);
	if (c->post < k->facts->posts.n && k->facts->posts.at[c->post].thread == thread)
		coming_offer(next, k->facts->posts.at[c->post].time, ITEM_POST, c->post);
	if (c->need < m->needs.n && m->needs.at[c->need].thread == thread)
		coming_offer(next, m->needs.at[c->need].time, ITEM_NEED, c->need);
	if (k->rules->devices && c->request < k->rules->devices->first[thread + 1])
		coming_offer(next, k->rules->devices->requests.at[c->request].time, ITEM_REQUEST,
			     c->request);
	if (k->rules->hand_out && c->mark < k->rules->hand_out->first_mark[thread + 1])
		coming_offer(next, k->rules->hand_out->marks.at[c->mark].time, ITEM_MARK, c->mark);
	switch (next->order) {
	case ITEM_RELEASE:
		c->held.n--;
		break;
	case ITEM_POST:
		c->post++;
		break;
	case ITEM_WAITED:
		c->stretch++;
		break;
	case ITEM_NEED:
		c->need++;
		break;
	case ITEM_REQUEST:
		c->request++;
		break;
	case ITEM_MARK:
		c->mark++;
		break;
	case ITEM_TAKE:
		if (m->holds.at[c->hold].end <= l->end)
			held_add(k, c->hold);
		c->hold++;
		break;
	case ITEM_NONE:
		return false;
	}
	return true;
}

static struct operation *hold_add(struct operations_context *k, enum operation_kind kind,
				  const struct thread_item *i, double work)
{
	const struct model_hold *h = &k->model->holds.at[i->number];
	const struct lock_plan *plan = k->rules->locks;
	struct operation *o =
	    operation_add(k, kind, plan ? plan->locks[i->number] : h->lock, i->time, work);

	o->shared = plan ? plan->shared[i->number] : h->shared;
	return o;
}

/* What begins with the request comes before it, and all else after it. */
static void request_add(struct operations_context *k, const struct device_request *r, double work)
{
	operation_add(k, OPERATION_SERVE, r->device, r->time, work)->time =
	    operation_time(r->length);
	timed_set(k, r->time, r->time + 1);
}

/* An item begins: it waits for its push. */
static void mark_add(struct operations_context *k, const struct thread_item *i, double work)
{
	const struct hand_out_mark *mark = &k->rules->hand_out->marks.at[i->number];
	const struct handed_item *item;

	operation_add(k, OPERATION_DELAY, 0, i->time, work);
	*vector_add(&k->marked) = (struct marked_operation){k->result->all.n - 1, mark};
	k->supply.until = -1;
	if (mark->item == NO_ITEM)
		return;
	item = &k->rules->hand_out->items.at[mark->item];
	if (item->pusher == NO_THREAD)
		return;
	operation_add(k, OPERATION_WAIT, post_number(k, item->pusher, item->pushed), i->time, 0);
	k->supply.operation = k->result->all.n - 1;
	k->supply.pushed = item->pushed;
	k->supply.until = item->taken;
}

static void item_add(struct operations_context *k, uint32_t thread, const struct thread_item *i,
		     size_t *cause, double work)
{
	const struct model_hold *h = &k->model->holds.at[i->number];
	const struct need *n = &k->model->needs.at[i->number];
	struct operation *o;

	if (i->order != ITEM_WAITED)
		polls_end(k, thread);
	switch (i->order) {
	case ITEM_WAITED:
		waited_add(k, thread, i->number, cause, work);
		break;
	case ITEM_POST:
		operation_add(k, OPERATION_POST, (uint32_t)i->number, i->time, work);
		break;
	case ITEM_NEED:
		operation_add(k, OPERATION_WAIT, post_number(k, n->of, n->moment), i->time, work);
		break;
	case ITEM_REQUEST:
		request_add(k, &k->rules->devices->requests.at[i->number], work);
		break;
	case ITEM_MARK:
		mark_add(k, i, work);
		break;
	case ITEM_TAKE:
		o = hold_add(k, OPERATION_TAKE, i, work);
		take_set(k, thread, o, h);
		timed_set(k, i->time, hold_taken(h));
		break;
	case ITEM_RELEASE:
		hold_add(k, OPERATION_RELEASE, i, work);
		if (k->looping.skips.n && k->facts->loops.at[k->looping.at].check == i->number)
			loop_end(k, &k->facts->loops.at[k->looping.at], i->time);
		break;
	case ITEM_NONE:
		break;
	}
}

/* Takes off what contended calls cost on a lock that is no more. */
static double without_excess(struct operations_context *k, const struct thread_item *i, double work)
{
	const struct lock_plan *plan = k->rules->locks;

	if (!plan || !plan->excess)
		return work;
	if (i->order == ITEM_TAKE)
		k->excess += (double)lock_excess_before(k->model, plan->excess, i->number);
	if (k->excess <= work) {
		work -= k->excess;
		k->excess = 0;
		return work;
	}
	k->excess -= work;
	return 0;
}

/* The thread begins when its creator lets it, or when it did. */
static void beginning_add(struct operations_context *k, uint32_t thread)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	bool ready = l->stretches[0].activity == ACTIVITY_READY;
	int64_t end = ready ? stretch_end(l, 0) : l->begin;
	struct operation *o;

	if (l->creator != NO_THREAD) {
		o = operation_add(k, OPERATION_WAIT, post_number(k, l->creator, l->created), end,
				  0);
		parts_set(o, wait_end_parts(k->model, thread, l->created, end));
	} else {
		o = operation_add(k, OPERATION_DELAY, 0, end, 0);
		parts_set(o, wait_end_parts(k->model, thread, 0, end));
		o->unknown = unknown_share(unknown_before(k->model->unknown, thread), end);
	}
	if (o->latency == NO_LATENCY)
		o->latency = 0; /* it was not ready before */
	k->coming.stretch = ready;
}

/*
 * A thread spins before a time, if it does: it waits, and what it ran meanwhile comes about. *now:
 * up to when it has done all; it goes on after the loop. Returns what it runs before an operation
 * at that time.
 */
static double spin_add(struct operations_context *k, uint32_t thread, int64_t time, int64_t *now,
		       double work)
{
	const struct spin_loop *l =
	    k->spin < k->facts->spins.n ? &k->facts->spins.at[k->spin] : NULL;
	struct operation *o;

	while (l && l->thread == thread && l->from < time) {
		work += work_until(k, thread, *now, l->from > *now ? l->from : *now);
		o = operation_add(k, OPERATION_WAIT, post_number(k, l->of, l->time), l->to, work);
		o->before = OPERATION_SPINS;
		o->yields = l->yields;
		o->time = l->time < l->to ? wait_latency(k->model, thread, l->time, l->to) : 0;
		timed_set(k, l->from, l->to);
		work = 0;
		*now = l->to > *now ? l->to : *now;
		l = ++k->spin < k->facts->spins.n ? &k->facts->spins.at[k->spin] : NULL;
	}
	return work;
}

/* A wait for a processor in a loop in which the thread spun comes about. */
static bool is_spun(const struct operations_context *k, uint32_t thread,
		    const struct thread_item *i)
{
	const struct spin_loop *l = k->spin ? &k->facts->spins.at[k->spin - 1] : NULL;

	return l && l->thread == thread && i->order == ITEM_WAITED && i->time > l->from &&
	       i->time <= l->to;
}

/*
 * Ends a thread. If the program ends it while it holds a lock, the lock is free from then on: a
 * thread that took it before in the recorded run may come later now.
 */
static void end_add(struct operations_context *k, uint32_t thread, double work)
{
	const struct model *m = k->model;
	int64_t end = m->graph->threads[thread].end;

	for (size_t i = m->first_hold[thread]; i < m->first_hold[thread + 1]; i++)
		if (m->holds.at[i].end > end) {
			hold_add(k, OPERATION_RELEASE, &(struct thread_item){end, ITEM_RELEASE, i},
				 work);
			work = 0;
		}
	operation_add(k, OPERATION_END, 0, end, work);
}

/* Other programs had the processor when a thread was woken, in operations from one on. */
static void woken_find(struct operations_context *k, size_t first)
{
	double follows = k->rules->woken == WOKEN_STAYS     ? 0
			 : k->rules->woken == WOKEN_FOLLOWS ? 1
							    : WOKEN_FOLLOWING;

	for (size_t i = first; i < k->result->all.n; i++) {
		const struct operation *o = &k->result->all.at[i];

		if (!o->others || o->latency == NO_LATENCY || k->share.lost == i)
			continue;
		k->result->others.woken += o->latency;
		share_woken(&k->share, k->result, i, follows);
	}
}

static void thread_add(struct operations_context *k, uint32_t thread)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	size_t cause = k->model->first_cause[thread];
	int64_t now = l->begin, stamping = 0;
	struct thread_item item;
	size_t added;
	double left;

	k->stretch = 0;
	k->speed = k->rules->speeds ? k->rules->speeds->first[thread] : 0;
	k->coming.stretch = k->coming.held.n = 0;
	k->coming.hold = k->model->first_hold[thread];
	k->coming.request = k->rules->devices ? k->rules->devices->first[thread] : 0;
	k->coming.mark = k->rules->hand_out ? k->rules->hand_out->first_mark[thread] : 0;
	k->handed = (struct handed){.time = -1};
	k->supply.until = -1;
	k->excess = 0;
	k->share = (struct share_search){.lost = NOTHING_LOST};
	event_counter_open(&k->events, k->model->trace, thread);
	if (l->n)
		beginning_add(k, thread);
	while (l->n && item_next(k, thread, &item)) {
		const struct model_hold *h = &k->model->holds.at[item.number];
		double work = spin_add(k, thread, item.time, &now, (double)stamping);

		stamping = 0;
		if (is_spun(k, thread, &item))
			continue;
		work += work_until(k, thread, now, item.time);
		added = k->result->all.n;
		item_add(k, thread, &item, &cause, without_excess(k, &item, work));
		woken_find(k, added);
		if (item.time > now)
			now = item.time;
		if (item.order == ITEM_TAKE && h->wait != NO_NUMBER) {
			/*
			 * the wait comes about; what it did with the lock up to the stamp does not
			 */
			now = h->start;
			stamping = h->start - hold_taken(h);
		}
	}
	polls_end(k, thread);
	k->looping.skips.n = k->looping.sleeps.n = 0;
	k->timed_loop.waits.n = 0;
	while (k->looping.at < k->facts->loops.n &&
	       k->facts->loops.at[k->looping.at].thread <= thread)
		k->looping.at++;
	item = (struct thread_item){.order = ITEM_NONE};
	left = spin_add(k, thread, l->end, &now, (double)stamping);
	end_add(k, thread, without_excess(k, &item, left + work_until(k, thread, now, l->end)));
	share_end(&k->share, k->result);
	while (k->spin < k->facts->spins.n && k->facts->spins.at[k->spin].thread <= thread)
		k->spin++;
}

/* Returns which threads the end of their process ends. */
static bool *ended_of(const struct graph *g)
{
	bool *ended = array_new(g->trace->nthreads, sizeof *ended);

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		ended[t] = g->threads[t].ended || !g->threads[t].n;
	return ended;
}

/*
 * Who hands out items waits until all are done, also if it came last in this run: threads that take
 * some are not cut at the end of the run.
 */
static void takers_end(struct operations *o)
{
	for (uint32_t t = 0; t < o->nthreads; t++)
		for (size_t i = o->first[t]; o->ended[t] && i < o->first[t + 1]; i++)
			o->ended[t] = o->all.at[i].kind != OPERATION_NEXT;
}

/*
 * Returns how many operations there are at most, but for rare ones: of waits that end with a lock
 * and of loops. Memory for more of them is not used until they are there; if the list grew, it
 * might be there twice for a time.
 */
static size_t most_operations(const struct operations_context *k)
{
	const struct model *m = k->model;
	size_t n = 2 * m->holds.n + k->facts->posts.n + m->needs.n + 2 * (size_t)m->trace->nthreads;

	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		for (size_t i = 0; i < m->graph->threads[t].n; i++)
			n += m->graph->threads[t].stretches[i].activity != ACTIVITY_RUNNING;
	if (k->rules->hand_out)
		n += 2 * k->rules->hand_out->marks.n;
	if (k->rules->devices)
		n += k->rules->devices->requests.n;
	return n + n / 16 + 3 * k->facts->timed.n + k->facts->spins.n;
}

static void single_forget(struct operations *o)
{
	o->all.at = NULL;
	o->all.n = o->all.room = 0;
	o->pieces.at = NULL;
	o->pieces.n = o->pieces.room = 0;
}

void operations_pass(struct operations *from, struct operations *to)
{
	to->all = from->all;
	to->pieces = from->pieces;
	single_forget(from);
}

/* Takes the memory of operations that are no longer needed if it is enough; else frees it. */
static void memory_take(struct operations_context *k)
{
	struct operations *o = k->result, *spent = k->rules->spent;
	size_t most = most_operations(k);

	if (spent && spent->all.room >= most) {
		o->all.at = spent->all.at;
		o->all.room = spent->all.room;
	} else if (spent) {
		free(spent->all.at);
	}
	if (spent) {
		free(spent->pieces.at);
		single_forget(spent);
	}
	o->all.at = vector_reserve(o->all.at, most, &o->all.room, sizeof *o->all.at);
}

struct operations *operations_of(struct model *m, const struct operation_rules *rules)
{
	struct operations *o = array_zero(1, sizeof *o);
	struct operations_context k = {.model = m, .rules = rules, .result = o};

	o->nthreads = m->trace->nthreads;
	o->duration = run_end_time(m->graph);
	o->ended = ended_of(m->graph);
	o->wake_up = m->readiness->wake_up;
	o->switching = m->readiness->switching;
	o->first = array_new(o->nthreads + 1, sizeof *o->first);
	o->ndevices = rules->devices ? (uint32_t)rules->devices->all.n : rules->device;
	o->nobjects = (uint32_t)m->locks->locks.n;
	k.facts = run_facts_of(m, rules->hand_out);
	o->spinning = k.facts->spinning;
	memory_take(&k);
	for (uint32_t t = 0; t < o->nthreads; t++) {
		o->first[t] = o->all.n;
		thread_add(&k, t);
	}
	o->first[o->nthreads] = o->all.n;
	o->nlocks = rules->locks ? rules->locks->nlocks : (uint32_t)m->locks->locks.n;
	o->nposts = (uint32_t)k.facts->posts.n + 1; /* and one that nobody makes */
	o->nmeetings = (uint32_t)k.facts->meetings.n;
	o->members = array_new(o->nmeetings, sizeof *o->members);
	for (uint32_t i = 0; i < o->nmeetings; i++)
		o->members[i] = k.facts->members[i];
	if (rules->hand_out) {
		pieces_make(o, rules->hand_out, &k.marked);
		takers_end(o);
	}
	free(k.marked.at);
	free(k.coming.held.at);
	free(k.polls.sleeps.at);
	free(k.timed_loop.waits.at);
	free(k.looping.skips.at);
	free(k.looping.sleeps.at);
	return o;
}

size_t operations_piece(const struct operations *o, size_t operation)
{
	if (operation < o->first[o->nthreads])
		return NO_PIECE;
	return lower_bound(k, (size_t)0, o->pieces.n, o->pieces.at[k].first <= operation) - 1;
}

uint32_t operations_recorder(const struct operations *o, size_t operation)
{
	size_t piece = operations_piece(o, operation);

	if (piece != NO_PIECE)
		return o->pieces.at[piece].thread;
	return operations_thread(
	    o, lower_bound(t, (uint32_t)0, o->nthreads, o->first[t + 1] <= operation));
}

void operations_free(struct operations *o)
{
	free(o->all.at);
	free(o->times.at);
	free(o->waits.at);
	free(o->first);
	free(o->origins);
	free(o->ended);
	free(o->members);
	free(o->pieces.at);
	free(o->pools.at);
	free(o->pace);
	free(o);
}
