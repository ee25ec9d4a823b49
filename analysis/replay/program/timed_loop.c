#include "analysis/replay/program/timed_loop.h"

void timed_loop_add(struct timed_loop *l, const struct operations *o, const struct timed_wait *w)
{
	if (l->waits.n && l->last != w->last)
		l->waits.n = 0;
	l->last = w->last;
	*vector_add(&l->waits) = (struct timed_place){o->all.n - 2, o->waits.n, w->left};
}

/*
 * Whether what is in a loop can be left out and done again: other threads see nothing of it, and
 * locks are free after it.
 */
static bool can_repeat(const struct operations *o, size_t from, size_t to)
{
	int64_t held = 0;

	for (size_t i = from; i < to; i++) {
		const struct operation *op = &o->all.at[i];

		if (operation_concerns_others(op))
			return false;
		held += (op->kind == OPERATION_TAKE) - (op->kind == OPERATION_RELEASE);
	}
	return !held;
}

/* A delay becomes a wait until its limit at most; what it took after the limit stays. */
static void wait_limit(struct operations *o, const struct timed_place *p, uint32_t post)
{
	struct operation *wait = &o->all.at[p->wait];

	o->unexplained -= operation_waited(wait);
	wait[-1].kind = OPERATION_LIMIT;
	wait[-1].time = operation_time(p->left);
	wait->kind = OPERATION_WAIT;
	wait->what = post;
	wait->time = wait->time > p->left ? wait->time - p->left : 0;
}

/* Returns the first wait from which on all can be left out and done again. */
static size_t first_repeated(const struct timed_loop *l, const struct operations *o, size_t end)
{
	size_t i = l->waits.n;

	for (; i && can_repeat(o, l->waits.at[i - 1].wait + 2, end); i--)
		end = l->waits.at[i - 1].wait;
	return i;
}

int64_t timed_loop_end(struct timed_loop *l, struct operations *o)
{
	size_t n = l->waits.n, end = o->all.n, first = first_repeated(l, o, end - 2);
	uint32_t post = o->all.at[end - 1].what;

	l->waits.n = 0;
	if (first == n)
		return 0;
	l->first_listed = l->waits.at[first].listed;
	for (size_t i = first; i < n; i++) {
		const struct timed_place *p = &l->waits.at[i];

		wait_limit(o, p, post);
		o->all.at[p->wait + 1].what = post;
		o->all.at[p->wait + 1].time = (int64_t)(end - p->wait - 2);
	}
	return (int64_t)(end - l->waits.at[n - 1].wait - 2);
}
