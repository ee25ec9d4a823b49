#include "analysis/replay/reasons/run_facts.h"
#include "analysis/replay/items/hand_out.h"
#include "analysis/replay/reasons/poll_sleep.h"
#include "analysis/replay/reasons/timed_locks.h"
#include "analysis/replay/recorded/outside.h"
#include "base/search.h"
#include "base/sort.h"
#include <stdlib.h>

/* ---- what locks take ---- */

/* So many at most are looked at for a median. */
enum { MOST_SAMPLES = 1 << 16 };

typedef VECTOR(int64_t) times;

/*
 * What a lock usually takes that has to be waited for. If most threads kept their processors while
 * they waited for locks, a thread leaves its own after the time that the others took; if all did,
 * never.
 */
static struct wait_parts handover_usual(const struct model *m)
{
	times time = {0}, before = {0}, after = {0};
	struct wait_parts usual = {0};

	for (size_t i = 0, step = m->causes.n / MOST_SAMPLES + 1; i < m->causes.n; i += step) {
		const struct model_cause *c = &m->causes.at[i];
		const struct timeline *l = &m->graph->threads[c->waiter];
		int64_t from = l->stretches[c->stretch].from, end = stretch_end(l, c->stretch),
			left;
		struct wait_parts p;

		if (c->lock == NO_LOCK || wait_came_later(m, c->waiter, from, c))
			continue;
		p = wait_parts_of(m, c->waiter, c->time, c->time, end);
		*vector_add(&time) = p.time;
		*vector_add(&after) = p.after;
		left = model_leaves(m, c->waiter, from, end);
		if (left < end)
			*vector_add(&before) = left - from;
	}
	if (instance_set_has_states(m->set) && 2 * before.n < time.n) {
		usual.before = (uint32_t)median_word(before.at, before.n, UINT32_MAX);
		usual.after = (uint32_t)median_word(after.at, after.n, 0);
	}
	usual.time = median_word(time.at, time.n, 0);
	free(time.at);
	free(before.at);
	free(after.at);
	return usual;
}

/*
 * Finds the locks for which threads wait without leaving their processors, but to other threads
 * that are ready. A call that finds a mutex free again before it blocks takes less time than that.
 */
static bool *spun_find(const struct model *m)
{
	enum { LONG_SPIN = 50000 };
	size_t n = m->locks->locks.n;
	bool *spun = array_zero(n, sizeof *spun), *left = array_zero(n, sizeof *left);

	for (size_t i = 0; instance_set_has_states(m->set) && i < m->causes.n; i++) {
		const struct model_cause *c = &m->causes.at[i];
		const struct timeline *l = &m->graph->threads[c->waiter];
		int64_t from = l->stretches[c->stretch].from, end = stretch_end(l, c->stretch);

		if (c->lock == NO_LOCK)
			continue;
		left[c->lock] |= model_state_time(m, c->waiter, STATE_BLOCKED, from, end) > 0;
		spun[c->lock] |=
		    model_state_time(m, c->waiter, STATE_RUNNING, from, end) >= LONG_SPIN;
	}
	for (size_t i = 0; i < n; i++)
		spun[i] &= !left[i];
	free(left);
	return spun;
}

/* ---- posts and meetings ---- */

static int moment_order(const void *a, const void *b)
{
	const struct run_moment *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static void moment_add(run_moments *all, uint32_t thread, int64_t time)
{
	*vector_add(all) = (struct run_moment){time, thread};
}

/* Sorts moments, and keeps each once. often: how many times each was there; NULL: nobody asks. */
static void moments_sort(run_moments *all, uint32_t *often)
{
	size_t kept = 0;

	if (all->n)
		qsort(all->at, all->n, sizeof *all->at, moment_order);
	for (size_t i = 0; i < all->n; i++) {
		if (!kept || moment_order(&all->at[kept - 1], &all->at[i]) != 0)
			all->at[kept++] = all->at[i];
		if (often)
			often[kept - 1]++;
	}
	all->n = kept;
}

uint32_t moment_number(const run_moments *all, uint32_t thread, int64_t time)
{
	const struct run_moment wanted = {time, thread};
	size_t place = lower_bound(i, (size_t)0, all->n, moment_order(&all->at[i], &wanted) < 0);

	if (place < all->n && moment_order(&all->at[place], &wanted) != 0)
		place = all->n;
	return (uint32_t)place;
}

bool moment_in(const run_moments *all, uint32_t thread, int64_t after, int64_t to)
{
	const struct run_moment first = {after + 1, thread};
	size_t i = lower_bound(k, (size_t)0, all->n, moment_order(&all->at[k], &first) < 0);

	return i < all->n && all->at[i].thread == thread && all->at[i].time <= to;
}

static void meetings_find(const struct model *m, struct run_facts *f)
{
	for (size_t i = 0; i < m->causes.n; i++)
		if (m->causes.at[i].meeting)
			moment_add(&f->meetings, m->causes.at[i].from, m->causes.at[i].time);
	f->members = array_zero(f->meetings.n, sizeof *f->members);
	moments_sort(&f->meetings, f->members);
}

/* The posts that threads' creation and end are. */
static void thread_posts_add(const struct model *m, run_moments *posts)
{
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		const struct timeline *l = &m->graph->threads[t];

		if (l->n && l->creator != NO_THREAD)
			moment_add(posts, l->creator, l->created);
		if (polling_possible(m, t))
			moment_add(posts, t, l->end);
	}
}

static void posts_find(const struct model *m, struct run_facts *f)
{
	f->posts.n = 0;
	for (size_t i = 0; i < m->causes.n; i++)
		if (!m->causes.at[i].meeting && m->causes.at[i].lock == NO_LOCK)
			moment_add(&f->posts, m->causes.at[i].from, m->causes.at[i].time);
	for (size_t i = 0; i < m->needs.n; i++)
		moment_add(&f->posts, m->needs.at[i].of, m->needs.at[i].moment);
	thread_posts_add(m, &f->posts);
	for (size_t i = 0; i < f->spins.n; i++)
		moment_add(&f->posts, f->spins.at[i].of, f->spins.at[i].time);
	for (size_t i = 0; i < f->loops.n; i++)
		moment_add(&f->posts, f->loops.at[i].of, f->loops.at[i].time);
	for (size_t i = 0; i < f->timed.n; i++) {
		size_t hold = f->timed.at[i].hold;

		if (hold != NO_HOLD)
			moment_add(&f->posts, m->holds.at[hold].thread,
				   hold_released(&m->holds.at[hold]));
	}
	for (size_t i = 0; f->hand_out && i < f->hand_out->items.n; i++) {
		const struct handed_item *item = &f->hand_out->items.at[i];

		if (item->pusher != NO_THREAD)
			moment_add(&f->posts, item->pusher, item->pushed);
	}
	moments_sort(&f->posts, NULL);
}

/* ---- all ---- */

void run_facts_hand_out(struct run_facts *f, const struct model *m, const struct hand_out *hand_out)
{
	f->hand_out = hand_out;
	posts_find(m, f);
}

struct run_facts *run_facts_of(const struct model *m, const struct hand_out *hand_out)
{
	struct run_facts *f = array_zero(1, sizeof *f);
	tries all = tries_of(m->trace);

	f->handover = handover_usual(m);
	f->spun = spun_find(m);
	f->outside = outside_find(m);
	f->devices = outside_devices(m);
	f->loops = poll_loops_of(m);
	f->timed = timed_waits_of(m);
	timed_waits_claim(&f->timed, &f->loops);
	timed_locks_find(m, &f->timed);
	f->spins = spin_loops_of(m, &all, &f->spinning);
	free(all.at);
	meetings_find(m, f);
	run_facts_hand_out(f, m, hand_out);
	return f;
}

void run_facts_free(struct run_facts *f)
{
	free(f->spun);
	free(f->outside);
	free(f->devices);
	free(f->loops.at);
	free(f->timed.at);
	free(f->spins.at);
	free(f->posts.at);
	free(f->meetings.at);
	free(f->members);
	free(f);
}
