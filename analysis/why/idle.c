#include "analysis/why/idle.h"
#include "base/array.h"
#include "base/search.h"
#include <stdlib.h>

/* ---- when how many threads run ---- */

/*
 * A walk through what a thread begins and ends to do: running, or being ready. A second walk is
 * through the states in which a thread is ready within a wait: the timeline says that it waits.
 */
struct turns {
	const struct timeline *line;
	const span_vector *states; /* NULL: of the timeline */
	const struct instance_set *set;
	size_t at, stretch;
	bool begun; /* the turn, whose end comes next */
};

/* All walks, by the time of their next turns: the first of a heap is the next of all. */
struct turns_heap {
	struct turns *walks; /* two of each thread */
	struct next_turn {
		int64_t time;
		uint32_t walk;
	} * at;
	size_t n;
};

/* When a thread that is ready in a state since then is no more so within a wait; 0: it is not. */
static int64_t woken_until(struct turns *t, const struct instance_span *state)
{
	const struct timeline *l = t->line;
	int64_t end;

	if (span_role(t->set, state)->state != STATE_READY)
		return 0;
	while (t->stretch < l->n && stretch_end(l, t->stretch) <= state->start)
		t->stretch++;
	if (t->stretch == l->n || l->stretches[t->stretch].from > state->start ||
	    l->stretches[t->stretch].activity != ACTIVITY_WAITING)
		return 0;
	end = stretch_end(l, t->stretch);
	return state->end < end ? state->end : end;
}

static bool woken_find(struct turns *t, int64_t *time)
{
	for (; t->at < t->states->n; t->at++) {
		const struct instance_span *state = &t->states->at[t->at];
		int64_t until = woken_until(t, state);

		if (state->start < until) {
			*time = t->begun ? until : state->start;
			return true;
		}
	}
	return false;
}

/* Goes on to a stretch that begins or ends something. Returns false behind the last. */
static bool turns_find(struct turns *t, int64_t *time)
{
	if (t->states)
		return woken_find(t, time);
	for (; t->at < t->line->n; t->at++) {
		const struct stretch *s = &t->line->stretches[t->at];
		bool counts = s->activity == ACTIVITY_RUNNING || s->activity == ACTIVITY_READY;

		if (counts && s->from < stretch_end(t->line, t->at)) {
			*time = t->begun ? stretch_end(t->line, t->at) : s->from;
			return true;
		}
	}
	return false;
}

static void heap_sink(struct turns_heap *h, size_t i, struct next_turn turn)
{
	size_t child;

	for (; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && h->at[child + 1].time < h->at[child].time)
			child++;
		if (turn.time <= h->at[child].time)
			break;
		h->at[i] = h->at[child];
	}
	h->at[i] = turn;
}

/* Returns the walks of a thread: 2 t through its timeline, 2 t + 1 through its states. */
static struct turns walk_of(const struct graph *g, const struct instance_set *set, uint32_t walk)
{
	return (struct turns){
	    .line = &g->threads[walk / 2],
	    .states = walk % 2 ? instance_spans(set, SPANS_STATE, walk / 2) : NULL,
	    .set = set,
	};
}

static struct turns_heap heap_of(const struct graph *g, const struct instance_set *set)
{
	uint32_t nthreads = g->trace->nthreads;
	struct turns_heap h = {array_zero(2 * (size_t)nthreads, sizeof *h.walks),
			       array_new(2 * (size_t)nthreads, sizeof *h.at), 0};

	for (uint32_t i = 0; i < 2 * nthreads; i++) {
		int64_t time;

		h.walks[i] = walk_of(g, set, i);
		if (turns_find(&h.walks[i], &time))
			h.at[h.n++] = (struct next_turn){time, i};
	}
	for (size_t i = h.n / 2; i-- > 0;)
		heap_sink(&h, i, h.at[i]);
	return h;
}

/* Takes the next turn of all threads into the numbers of those that run, are ready and woken. */
static void turn_take(struct turns_heap *h, struct idle_change *now)
{
	struct next_turn turn = h->at[0];
	struct turns *t = &h->walks[turn.walk];
	uint32_t more = t->begun ? UINT32_MAX : 1; /* one less; or more */

	now->time = turn.time;
	if (t->states)
		now->woken += more;
	else if (t->line->stretches[t->at].activity == ACTIVITY_RUNNING)
		now->running += more;
	else
		now->ready += more;
	t->at += t->begun;
	t->begun = !t->begun;
	if (!turns_find(t, &turn.time)) {
		if (!--h->n)
			return;
		turn = h->at[h->n];
	}
	heap_sink(h, 0, turn);
}

static void changes_make(struct idle *l, const struct graph *g, const struct instance_set *set)
{
	struct turns_heap h = heap_of(g, set);
	struct idle_change now = {0};

	*vector_add(&l->changes) = now;
	while (h.n) {
		turn_take(&h, &now);
		if (l->changes.at[l->changes.n - 1].time == now.time)
			l->changes.n--;
		*vector_add(&l->changes) = now;
	}
	free(h.walks);
	free(h.at);
}

/* ---- sums ---- */

/* How long it is until the next change. */
static int64_t change_length(const struct idle *l, size_t i)
{
	return i + 1 < l->changes.n ? l->changes.at[i + 1].time - l->changes.at[i].time : 0;
}

/* How many run at once for at least a hundredth of the time. */
static unsigned processors_seen(const struct idle *l)
{
	int64_t all = l->changes.at[l->changes.n - 1].time, above = 0, *times;
	unsigned processors = 1, most = 1;

	for (size_t i = 0; i < l->changes.n; i++)
		most = l->changes.at[i].running > most ? l->changes.at[i].running : most;
	times = array_zero(most + 1, sizeof *times);
	for (size_t i = 0; i < l->changes.n; i++)
		times[l->changes.at[i].running] += change_length(l, i);
	for (unsigned p = most; p > 1 && processors == 1; p--) {
		above += times[p];
		if (above * 100 >= all)
			processors = p;
	}
	free(times);
	return processors;
}

static double part_free(const struct idle *l, const struct idle_change *c)
{
	return c->running < l->processors ? 1 - (double)c->running / l->processors : 0;
}

static bool is_crowded(const struct idle *l, const struct idle_change *c)
{
	return c->running + c->ready > l->processors;
}

/* How many of the threads that can run would, if no other program had processors. */
static uint32_t would_run(const struct idle *l, const struct idle_change *c)
{
	uint32_t able = c->running + c->ready + c->woken;

	return able < l->processors ? able : l->processors;
}

/* Adds some time from a change on. */
static void sums_add(const struct idle *l, const struct idle_change *c, int64_t time,
		     struct idle_sums *s)
{
	double part = part_free(l, c) * (double)time, alone = (double)time;
	uint32_t would = would_run(l, c);

	if (c->running < would) {
		alone *= (double)c->running / would;
		s->contested += (double)time;
		s->fair += (double)time * c->running / (c->running + c->ready + c->woken);
	}
	s->alone += alone;
	s->alone_free += (1 - (double)would / l->processors) * alone;
	s->free += part;
	if (c->ready && c->running < l->processors) {
		s->ready_free += part;
		s->stolen += (double)time;
	}
}

static void sums_make(struct idle *l)
{
	struct idle_sums now = {0};

	l->sums = array_new(l->changes.n / IDLE_BLOCK + 1, sizeof *l->sums);
	for (size_t i = 0; i < l->changes.n; i++) {
		if (i % IDLE_BLOCK == 0)
			l->sums[i / IDLE_BLOCK] = now;
		sums_add(l, &l->changes.at[i], change_length(l, i), &now);
		l->crowded |= is_crowded(l, &l->changes.at[i]);
	}
}

/* ---- at a time ---- */

/* The last change up to a time; the first, if there is none. */
static size_t change_at(const struct idle *l, int64_t time)
{
	size_t next = lower_bound(i, 0, l->changes.n, l->changes.at[i].time <= time);

	return next ? next - 1 : 0;
}

static struct idle_cursor cursor_at(const struct idle *l, int64_t time)
{
	struct idle_cursor at = {.change = change_at(l, time)};
	size_t i = at.change / IDLE_BLOCK * IDLE_BLOCK;

	at.sums = l->sums[at.change / IDLE_BLOCK];
	for (; i < at.change; i++)
		sums_add(l, &l->changes.at[i], change_length(l, i), &at.sums);
	return at;
}

/* Moves a cursor on to the last change up to a time, which is not before it. */
static void cursor_reach(const struct idle *l, int64_t time, struct idle_cursor *at)
{
	if (at->change + IDLE_BLOCK < l->changes.n &&
	    l->changes.at[at->change + IDLE_BLOCK].time <= time) {
		*at = cursor_at(l, time);
		return;
	}
	while (at->change + 1 < l->changes.n && l->changes.at[at->change + 1].time <= time) {
		sums_add(l, &l->changes.at[at->change], change_length(l, at->change), &at->sums);
		at->change++;
	}
}

/* The sums up to a time from the cursor's change on. */
static struct idle_sums sums_until(const struct idle *l, const struct idle_cursor *at, int64_t time)
{
	struct idle_sums s = at->sums;

	sums_add(l, &l->changes.at[at->change], time - l->changes.at[at->change].time, &s);
	return s;
}

/* The sums between two times. */
static struct idle_sums sums_between(const struct idle *l, int64_t from, int64_t to,
				     struct idle_cursor *at)
{
	struct idle_sums before, after;

	cursor_reach(l, from, at);
	before = sums_until(l, at, from);
	cursor_reach(l, to, at);
	after = sums_until(l, at, to);
	return (struct idle_sums){after.free - before.free,
				  after.ready_free - before.ready_free,
				  after.stolen - before.stolen,
				  after.alone - before.alone,
				  after.alone_free - before.alone_free,
				  after.contested - before.contested,
				  after.fair - before.fair};
}

/* How much less a thread ran than it would have if those that could run had shared alike. */
static double thread_owed(const struct idle *l, struct turns *t)
{
	struct idle_cursor at = {0};
	double owed = 0;
	int64_t from, to;

	while (turns_find(t, &from)) {
		struct idle_sums s;

		t->begun = true;
		turns_find(t, &to);
		s = sums_between(l, from, to, &at);
		owed += s.fair;
		if (!t->states && t->line->stretches[t->at].activity == ACTIVITY_RUNNING)
			owed -= s.contested;
		t->begun = false;
		t->at++;
	}
	return owed;
}

static void owed_make(struct idle *l, const struct graph *g, const struct instance_set *set)
{
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		struct turns own = walk_of(g, set, 2 * t), woken = walk_of(g, set, 2 * t + 1);
		double owed = thread_owed(l, &own) + thread_owed(l, &woken);

		l->owed += owed > 0 ? owed : 0;
	}
}

struct idle *idle_of(const struct graph *g, const struct instance_set *set, unsigned processors)
{
	struct idle *l = array_zero(1, sizeof *l);

	changes_make(l, g, set);
	l->processors = processors ? processors : processors_seen(l);
	sums_make(l);
	owed_make(l, g, set);
	return l;
}

double idle_ready_next(const struct idle *l, int64_t from, int64_t to, struct idle_cursor *at)
{
	return from < to ? sums_between(l, from, to, at).ready_free : 0;
}

double idle_ready(const struct idle *l, int64_t from, int64_t to)
{
	struct idle_cursor at = cursor_at(l, from);

	return idle_ready_next(l, from, to, &at);
}

double idle_unused(const struct idle *l, int64_t from, int64_t to)
{
	struct idle_cursor at = cursor_at(l, from);
	struct idle_sums s = {0};

	if (from < to)
		s = sums_between(l, from, to, &at);
	return s.free - s.ready_free;
}

double idle_stolen(const struct idle *l, int64_t from, int64_t to)
{
	struct idle_cursor at = cursor_at(l, from);

	return from < to ? sums_between(l, from, to, &at).stolen : 0;
}

double idle_alone(const struct idle *l, int64_t from, int64_t to)
{
	struct idle_cursor at = cursor_at(l, from);

	return from < to ? sums_between(l, from, to, &at).alone : 0;
}

double idle_alone_unused_next(const struct idle *l, int64_t from, int64_t to,
			      struct idle_cursor *at)
{
	return from < to ? sums_between(l, from, to, at).alone_free : 0;
}

/* How much of a time is between a change and the next one. */
static int64_t change_within(const struct idle *l, size_t i, int64_t from, int64_t to)
{
	const struct idle_change *c = &l->changes.at[i];
	int64_t a = c->time > from ? c->time : from, end = c->time + change_length(l, i);
	int64_t b = i + 1 < l->changes.n && end < to ? end : to;

	return a < b ? b - a : 0;
}

double idle_ready_behind_others(const struct idle *l, int64_t from, int64_t to)
{
	double sum = 0;

	for (size_t i = change_at(l, from); i < l->changes.n && l->changes.at[i].time < to; i++)
		if (l->changes.at[i].running < l->processors)
			sum += l->changes.at[i].ready * (double)change_within(l, i, from, to);
	return sum;
}

int64_t idle_denied(const struct idle *l, int64_t from, int64_t to)
{
	int64_t denied = 0;

	for (size_t i = change_at(l, from); i < l->changes.n && l->changes.at[i].time < to; i++)
		if (!l->changes.at[i].running && l->changes.at[i].ready + l->changes.at[i].woken)
			denied += change_within(l, i, from, to);
	return denied;
}

int64_t idle_crowded(const struct idle *l, int64_t from, int64_t to)
{
	size_t i = l->crowded ? change_at(l, from) : l->changes.n;
	int64_t full = 0;

	for (; i < l->changes.n && l->changes.at[i].time < to; i++)
		if (is_crowded(l, &l->changes.at[i]))
			full += change_within(l, i, from, to);
	return full;
}

double idle_surplus(const struct idle *l, int64_t from, int64_t to)
{
	size_t i = l->crowded ? change_at(l, from) : l->changes.n;
	double surplus = 0;

	for (; i < l->changes.n && l->changes.at[i].time < to; i++) {
		const struct idle_change *c = &l->changes.at[i];

		if (is_crowded(l, c))
			surplus += (1 - (double)l->processors / (c->running + c->ready)) *
				   (double)change_within(l, i, from, to);
	}
	return surplus;
}

void idle_free_all(struct idle *l)
{
	free(l->changes.at);
	free(l->sums);
	free(l);
}
