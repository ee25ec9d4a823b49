#include "analysis/replay/recorded/told_to_end.h"
#include "base/search.h"

/* The wait and the join are that near to each other: by the length of the wait, and at most. */
enum { NEAR_PART = 100, NEAR_MOST = 5000000 };

/* At most so many stretches come after the wait of a thread that then ends. */
enum { LAST_STRETCHES = 6 };

static bool is_wait(const struct stretch *s)
{
	return s->activity == ACTIVITY_WAITING || s->activity == ACTIVITY_BLOCKED;
}

/*
 * Returns the last stretch before a time at a thread's end in which it waits; l->n: there is none.
 */
static size_t last_wait(const struct timeline *l, int64_t time)
{
	for (size_t i = l->n; i && l->n - i < LAST_STRETCHES; i--)
		if (is_wait(&l->stretches[i - 1]) && l->stretches[i - 1].from < time)
			return i - 1;
	return l->n;
}

/* Whether a thread waits for most of its life in a stretch: it is there for what ends this wait. */
static bool is_most(const struct timeline *l, size_t stretch)
{
	return 2 * (stretch_end(l, stretch) - l->stretches[stretch].from) > l->end - l->begin;
}

static bool has_cause(const struct model *m, size_t n, uint32_t thread, size_t stretch)
{
	const struct model_cause *c = m->causes.at;
	size_t i =
	    lower_bound(k, (size_t)0, n,
			c[k].waiter < thread || (c[k].waiter == thread && c[k].stretch < stretch));

	return i < n && c[i].waiter == thread && c[i].stretch == stretch;
}

/*
 * Sets when the joining thread, which has not begun to wait yet, told the other one whose wait it
 * is. Returns false if it was not near.
 */
static bool telling_time(const struct timeline *joining, size_t join, int64_t from, int64_t end,
			 int64_t *time)
{
	int64_t joins = joining->stretches[join].from, near = (end - from) / NEAR_PART;

	near = near < NEAR_MOST ? near : NEAR_MOST;
	if (joins < end - near || joins > end + near)
		return false;
	*time = joins < end ? joins : end;
	return join && joining->stretches[join - 1].activity == ACTIVITY_RUNNING &&
	       joining->stretches[join - 1].from < *time;
}

/*
 * Adds the cause of a thread's last wait if it has none; end: the cause that leads from the
 * thread's end to who joins it.
 */
static void joined_add(struct model *m, size_t n, const struct model_cause *end)
{
	const struct timeline *l = &m->graph->threads[end->from];
	size_t wait = last_wait(l, end->time);
	struct model_cause c = {
	    .waiter = end->from, .from = end->waiter, .stretch = wait, .lock = NO_LOCK};

	if (wait < l->n && is_most(l, wait) && end->time >= stretch_end(l, wait) &&
	    !has_cause(m, n, end->from, wait) &&
	    telling_time(&m->graph->threads[end->waiter], end->stretch, l->stretches[wait].from,
			 stretch_end(l, wait), &c.time))
		*vector_add(&m->causes) = c;
}

bool told_to_end_add(struct model *m)
{
	size_t n = m->causes.n;

	for (size_t i = 0; i < n; i++) {
		struct model_cause c = m->causes.at[i];

		if (!c.meeting && c.lock == NO_LOCK)
			joined_add(m, n, &c);
	}
	return m->causes.n > n;
}
