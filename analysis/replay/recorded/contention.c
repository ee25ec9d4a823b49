#include "analysis/replay/recorded/contention.h"
#include "base/search.h"
#include <stdlib.h>

/*
 * MOST_LATE: between a lock's change and its stamp are some ns, or an interrupt; a stamp that would
 * be wrong by more counts as it is. STAMPS_OVERLAP: so much may the stamps of two processors be in
 * the wrong order. MOST_READERS: so many are looked at for the last one. WAKE_UP: a thread that
 * goes on for longer than that was woken several times.
 */
enum { MOST_LATE = 100000, STAMPS_OVERLAP = 1000, MOST_READERS = 64, WAKE_UP = 50000 };

struct hold_order {
	struct model *model;
	uint32_t *order; /* of the holds: by lock, then start */
	size_t first;    /* of the lock's holds, in that order */
};

static struct model_hold *hold_at(const struct hold_order *f, size_t i)
{
	return &f->model->holds.at[f->order[i]];
}

/* ---- the holds of each lock, in the order of their starts ---- */

static size_t run_end(const struct hold_order *f, size_t i, size_t end)
{
	if (i < end)
		i++;
	while (i < end && hold_at(f, i - 1)->start <= hold_at(f, i)->start)
		i++;
	return i;
}

/* Merges two runs that follow each other; room: as much as the first. */
static void runs_merge(const struct hold_order *f, size_t a, size_t b, size_t end, uint32_t *room)
{
	const struct model_hold *holds = f->model->holds.at;
	size_t n = b - a, i = 0, to = a;

	memcpy(room, f->order + a, n * sizeof *room);
	while (i < n && b < end)
		f->order[to++] =
		    holds[f->order[b]].start < holds[room[i]].start ? f->order[b++] : room[i++];
	memcpy(f->order + to, room + i, (n - i) * sizeof *room);
}

/* Each thread's holds of a lock are in order: runs to be merged. */
static void lock_sort(const struct hold_order *f, size_t first, size_t end, uint32_t *room)
{
	while (run_end(f, first, end) < end)
		for (size_t a = first, b, c; (b = run_end(f, a, end)) < end; a = c) {
			c = run_end(f, b, end);
			runs_merge(f, a, b, c, room);
		}
}

/* Returns how many locks there are, and where the holds of each begin, and one more. */
static size_t *order_make(struct hold_order *f, size_t *nlocks)
{
	const struct model *m = f->model;
	uint32_t *room = array_new(m->holds.n, sizeof *room);
	size_t *first;

	*nlocks = 0;
	for (size_t i = 0; i < m->holds.n; i++)
		if (m->holds.at[i].lock >= *nlocks)
			*nlocks = (size_t)m->holds.at[i].lock + 1;
	first = array_zero(*nlocks + 2, sizeof *first);
	for (size_t i = 0; i < m->holds.n; i++)
		first[m->holds.at[i].lock + 2]++;
	for (size_t i = 2; i < *nlocks + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < m->holds.n; i++)
		f->order[first[m->holds.at[i].lock + 1]++] = (uint32_t)i;
	for (size_t i = 0; i < *nlocks; i++)
		lock_sort(f, first[i], first[i + 1], room);
	free(room);
	return first;
}

/*
 * Holds of one lock at the same time are those of readers; stamps of two processors may overlap a
 * bit.
 */
static void shared_find(const struct hold_order *f, size_t end)
{
	struct model_hold *last = NULL;

	for (size_t i = f->first; i < end; i++) {
		struct model_hold *h = hold_at(f, i);

		if (last && last->thread != h->thread && h->start < last->end - STAMPS_OVERLAP &&
		    h->end > h->start + STAMPS_OVERLAP)
			last->shared = h->shared = true;
		if (!last || h->end > last->end)
			last = h;
	}
}

/* ---- contended acquisitions ---- */

/* A wait for an object that ends as the thread begins to hold that one. */
static void waits_find(struct model *m, uint32_t thread)
{
	const struct timeline *l = &m->graph->threads[thread];
	const span_vector *waits = instance_spans(m->set, SPANS_WAIT, thread);
	const struct instance_span *w = waits->at;
	size_t s = 0, k = 0, end = waits->n;

	for (size_t i = m->first_hold[thread]; i < m->first_hold[thread + 1]; i++) {
		struct model_hold *h = &m->holds.at[i];

		h->wait = NO_NUMBER;
		while (s < l->n && stretch_end(l, s) < h->start)
			s++;
		if (s == l->n || stretch_end(l, s) != h->start ||
		    l->stretches[s].activity != ACTIVITY_WAITING)
			continue;
		while (k < end && w[k].start < l->stretches[s].from)
			k++;
		while (k + 1 < end && w[k + 1].start == l->stretches[s].from)
			k++;
		if (k == end || w[k].start != l->stretches[s].from ||
		    model_wait_lock(m, &w[k]) != h->lock)
			continue;
		h->wait = (uint32_t)m->contended.n;
		*vector_add(&m->contended) = (struct model_wait){w[k].start, w[k].start};
	}
}

/* ---- how long after their stamps locks are free ---- */

enum { MOST_USUAL = 4096 };

/* Returns the first hold that begins when or after a thread came to the lock. */
static size_t hold_after(const struct hold_order *f, size_t at, int64_t arrived)
{
	while (at > f->first && hold_at(f, at - 1)->start >= arrived)
		at--;
	return at;
}

/*
 * Returns how long after its stamp a lock is usually free again: those who came sooner after the
 * stamp than that are as many as those who had to wait though nobody seemed to have the lock. 0:
 * nobody had to.
 */
static int32_t usual_find(const struct hold_order *f, size_t end)
{
	size_t *after = array_zero(MOST_USUAL, sizeof *after), waited = 0, came = 0;
	int32_t usual = 0;

	for (size_t i = f->first + 1; i < end; i++) {
		const struct model_hold *h = hold_at(f, i), *before;
		int64_t arrived = hold_arrived(f->model, h);
		size_t k = hold_after(f, i, arrived);

		if (k == f->first)
			continue;
		before = hold_at(f, k - 1);
		if (before->thread == h->thread || before->shared || before->end > arrived ||
		    arrived - before->end >= MOST_USUAL)
			continue;
		after[arrived - before->end]++;
		waited += h->wait != NO_NUMBER;
	}
	while (usual < MOST_USUAL - 1 && came < waited)
		came += after[usual++];
	free(after);
	return usual;
}

/*
 * Returns when a lock must be free for a hold. At the same time, who comes is done before who
 * releases, or after.
 */
static int64_t free_before(const struct model_hold *h)
{
	return hold_taken(h) - (h->wait == NO_NUMBER);
}

/* Returns until when the next hold of a thread and that of a lock let it have a lock. */
static int64_t most_late(const struct model *m, const struct model_hold *h,
			 const struct model_hold *next)
{
	int64_t time = h->end + MOST_LATE;

	/* it comes to its next lock after it; and a third thread may find that one held */
	if ((size_t)(h + 1 - m->holds.at) < m->first_hold[h->thread + 1] &&
	    hold_arrived(m, h + 1) - 2 < time)
		time = hold_arrived(m, h + 1) - 2;
	return next && free_before(next) < time ? free_before(next) : time;
}

static void usual_set(const struct hold_order *f, size_t end)
{
	int32_t usual = usual_find(f, end);

	for (size_t i = f->first; i < end && usual; i++) {
		struct model_hold *h = hold_at(f, i);
		int64_t most;

		if (h->end == INT64_MAX || h->shared)
			continue;
		most = most_late(f->model, h, i + 1 < end ? hold_at(f, i + 1) : NULL) - h->end;
		if (most > 0)
			h->late = most < usual ? (int32_t)most : usual;
	}
}

/* ---- what waits say of the stamps of others ---- */

/* Returns since when a thread can have done nothing but come to a lock. */
static int64_t busy_until(const struct model *m, const struct model_hold *h)
{
	const struct model_hold *before = h - 1;

	if ((size_t)(h - m->holds.at) == m->first_hold[h->thread])
		return m->graph->threads[h->thread].begin;
	return before->end <= h->start ? hold_released(before) : hold_taken(before);
}

/* Returns since when a thread that has taken a lock may have had it. */
static int64_t taken_after(const struct model *m, const struct model_hold *h)
{
	const struct timeline *l = &m->graph->threads[h->thread];
	int64_t busy = busy_until(m, h);
	size_t s;

	if (h->wait != NO_NUMBER)
		return m->contended.at[h->wait].since;
	s = stretch_before(l, h->start);
	if (s == l->n || l->stretches[s].activity != ACTIVITY_RUNNING ||
	    stretch_end(l, s) == h->start)
		return h->start;
	return l->stretches[s].from > busy ? l->stretches[s].from : busy;
}

/*
 * The lock was not free when a thread came to it: its last holder, `g`, had not released it yet. As
 * late as that one and the next holder allow; the thread that waits may have come before the stamp
 * that says so, too.
 */
static bool release_later(const struct hold_order *f, struct model_hold *h, struct model_hold *g,
			  const struct model_hold *next, int64_t most_before)
{
	const struct model *m = f->model;
	struct model_wait *w = &m->contended.at[h->wait];
	int64_t released;

	if (g->thread == h->thread || g->end == INT64_MAX)
		return false;
	released = most_late(m, g, next);
	if (released > w->arrived)
		released = w->arrived;
	if (released < hold_released(g) || w->arrived - released > most_before ||
	    busy_until(m, h) >= released)
		return false;
	g->late = (int32_t)(released - g->end);
	*w = (struct model_wait){released - 1, released};
	return true;
}

/* The lock was not free when a thread came to it: the next holder had it already. */
static bool take_earlier(const struct hold_order *f, const struct model_hold *h,
			 struct model_hold *next)
{
	const struct model *m = f->model;
	struct model_wait *w = &m->contended.at[h->wait];
	int64_t taken = w->arrived - 1;

	if (next->thread == h->thread || next->start - taken > MOST_LATE ||
	    taken_after(m, next) > taken || hold_taken(next) < taken || next->end == INT64_MAX)
		return false;
	next->early = (uint32_t)(next->start - taken);
	w->since = hold_released(next);
	return true;
}

/* Another thread waits from before the end of a hold on: its release wakes that one. */
static void wake_mark(const struct hold_order *f, size_t at)
{
	int64_t arrived = hold_arrived(f->model, hold_at(f, at));
	size_t i = hold_after(f, at, arrived);
	struct model_hold *holder = i > f->first ? hold_at(f, i - 1) : NULL;

	/* the lock seemed to be free: the next holder had it already */
	if (holder && hold_released(holder) <= arrived)
		holder = i < at ? hold_at(f, i) : NULL;
	if (holder && holder->thread != hold_at(f, at)->thread)
		holder->wakes = true;
}

/* Finds whom a thread waited for; what nobody explains is a wait without a known cause. */
static void wait_settle(const struct hold_order *f, size_t at)
{
	struct model_hold *h = hold_at(f, at), *before = NULL, *next;
	struct model_wait *w = &f->model->contended.at[h->wait];
	size_t i = hold_after(f, at, w->arrived);

	next = hold_at(f, i);
	if (i > f->first)
		before = hold_at(f, i - 1);
	if (before && before->thread != h->thread && hold_released(before) > w->arrived)
		w->since = hold_released(before);
	else if (!(before && release_later(f, h, before, next, 2)) && !take_earlier(f, h, next) &&
		 !(before && release_later(f, h, before, next, STAMPS_OVERLAP)))
		h->wait = NO_NUMBER;
}

/*
 * Returns the release after which a thread has the lock, if it is let go on by the first one and
 * always takes so long until it tries: if another one has it then, it goes on after the next
 * release. The holds from i up to `at` are others'.
 */
static int64_t release_after(const struct hold_order *f, size_t i, size_t at, int64_t first,
			     int64_t latency)
{
	for (; i < at && hold_taken(hold_at(f, i)) <= first + latency; i++)
		if (hold_released(hold_at(f, i)) > first + latency)
			first = hold_released(hold_at(f, i));
	return first;
}

/*
 * Returns when a thread was last let go on after it had blocked between two times; INT64_MIN: that
 * is not known.
 */
static int64_t woken_find(const struct model *m, uint32_t thread, int64_t from, int64_t to)
{
	const span_vector *states = instance_spans(m->set, SPANS_STATE, thread);
	size_t i = lower_bound(k, (size_t)0, states->n, states->at[k].start < to);

	for (; i > 0 && states->at[i - 1].start >= from; i--)
		if (span_role(m->set, &states->at[i - 1])->state == STATE_BLOCKED &&
		    states->at[i - 1].end <= to)
			return states->at[i - 1].end;
	return INT64_MIN;
}

/*
 * The system says when a thread was let go on for the last time: by the last release up to then.
 * Before that it may have found that another one had the lock, and blocked again: that wait comes
 * about. The holds from i up to `at` are others'.
 */
static bool latency_known(const struct hold_order *f, size_t i, size_t at)
{
	const struct model_hold *h = hold_at(f, at);
	struct model_wait *w = &f->model->contended.at[h->wait];
	int64_t woken = woken_find(f->model, h->thread, w->arrived, hold_taken(h));

	if (woken < w->since)
		return false;
	for (; i < at; i++)
		if (hold_at(f, i)->end <= woken && hold_released(hold_at(f, i)) > w->since)
			w->since = hold_released(hold_at(f, i));
	return true;
}

/*
 * Finds what a thread was late by when it went on. What the system says of it counts; else the time
 * since the last release, if others had the lock whenever it could have come before; or as long as
 * it must have taken to miss all the earlier ones; else it was on its way since the first, while
 * others took the lock.
 */
static void latency_find(const struct hold_order *f, size_t at)
{
	struct model_wait *w = &f->model->contended.at[hold_at(f, at)->wait];
	int64_t taken = hold_taken(hold_at(f, at)), last = w->since, missed = 0;
	bool readers = false;
	size_t i = hold_after(f, at, w->arrived);

	if (latency_known(f, i, at))
		return;
	/* the last of several readers lets a writer go on, which need not have come last */
	for (unsigned n = 0; n < MOST_READERS && i > f->first && hold_at(f, i - 1)->shared; n++)
		i--;
	for (size_t k = i; k < at; k++) {
		const struct model_hold *h = hold_at(f, k);

		readers |= h->shared;
		if (hold_taken(h) - last > missed)
			missed = hold_taken(h) - last;
		if (hold_released(h) > last && hold_released(h) <= taken)
			last = hold_released(h);
	}
	missed = missed > taken - last ? missed : taken - last;
	if (readers || release_after(f, i, at, w->since, taken - last) >= last)
		w->since = last;
	else if (taken - w->since > WAKE_UP && release_after(f, i, at, w->since, missed) >= last)
		w->since = taken - missed;
}

/* One had released the lock before the other one took it, whatever the stamps say. */
static void overlap_settle(struct model_hold *before, struct model_hold *h)
{
	int64_t released = free_before(h);

	if (before->thread == h->thread || before->end == INT64_MAX ||
	    hold_released(before) <= released || before->end - released > STAMPS_OVERLAP)
		return;
	if (released < hold_taken(before))
		released = hold_taken(before);
	before->late = (int32_t)(released - before->end);
}

void contention_find(struct model *m)
{
	struct hold_order f = {m, array_new(m->holds.n, sizeof *f.order), 0};
	size_t nlocks, *first = order_make(&f, &nlocks);

	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		waits_find(m, t);
	for (size_t k = 0; k < nlocks; k++) {
		uint32_t last = first[k] < first[k + 1] ? m->holds.at[f.order[first[k]]].thread : 0;

		f.first = first[k];
		shared_find(&f, first[k + 1]);
		usual_set(&f, first[k + 1]);
		for (size_t i = f.first; i < first[k + 1]; i++) {
			if (i > f.first && !hold_at(&f, i)->shared)
				overlap_settle(hold_at(&f, i - 1), hold_at(&f, i));
			if (hold_at(&f, i)->wait != NO_NUMBER)
				wait_settle(&f, i);
		}
		for (size_t i = f.first; i < first[k + 1]; i++) {
			struct model_hold *h = hold_at(&f, i);

			h->moved = h->wait != NO_NUMBER || h->thread != last;
			last = h->thread;
			if (h->wait == NO_NUMBER)
				continue;
			latency_find(&f, i);
			wake_mark(&f, i);
		}
	}
	free(first);
	free(f.order);
}
