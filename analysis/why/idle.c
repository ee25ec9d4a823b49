#include "analysis/why/idle.h"
#include "base/array.h"
#include "base/search.h"
#include <stdlib.h>

/* A thread begins or ends to run, or to be ready. */
struct turn {
	int64_t time;
	int running, ready;
};

typedef VECTOR(struct turn) turns;

static void turns_collect(turns *all, const struct timeline *l)
{
	for (size_t i = 0; i < l->n; i++) {
		int64_t from = l->stretches[i].from, to = stretch_end(l, i);
		int running = l->stretches[i].activity == ACTIVITY_RUNNING;
		int ready = l->stretches[i].activity == ACTIVITY_READY;

		if (from >= to || (!running && !ready))
			continue;
		*vector_add(all) = (struct turn){from, running, ready};
		*vector_add(all) = (struct turn){to, -running, -ready};
	}
}

static int by_time(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void changes_make(struct idle *l, const turns *all)
{
	struct idle_change now = {0};

	l->changes = array_new(all->n + 1, sizeof *l->changes);
	l->changes[l->n++] = now;
	for (size_t i = 0; i < all->n; i++) {
		now.time = all->at[i].time;
		now.running += (uint32_t)all->at[i].running;
		now.ready += (uint32_t)all->at[i].ready;
		if (l->changes[l->n - 1].time == now.time)
			l->n--;
		l->changes[l->n++] = now;
	}
}

/* How many run at once for at least a hundredth of the time. */
static unsigned processors_seen(const struct idle *l)
{
	int64_t all = l->changes[l->n - 1].time, most = 0;
	unsigned processors = 1;

	for (size_t i = 0; i + 1 < l->n; i++)
		if (l->changes[i].running > most)
			most = l->changes[i].running;
	for (unsigned p = 2; p <= most; p++) {
		int64_t time = 0;

		for (size_t i = 0; i + 1 < l->n; i++)
			if (l->changes[i].running >= p)
				time += l->changes[i + 1].time - l->changes[i].time;
		if (time * 100 < all)
			break;
		processors = p;
	}
	return processors;
}

static double part_free(const struct idle *l, const struct idle_change *c)
{
	return c->running < l->processors ? 1 - (double)c->running / l->processors : 0;
}

static bool is_stolen(const struct idle *l, const struct idle_change *c)
{
	return c->ready && c->running < l->processors;
}

static bool is_crowded(const struct idle *l, const struct idle_change *c)
{
	return c->running + c->ready > l->processors;
}

static void sums_make(struct idle *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->crowded |= is_crowded(l, &l->changes[i]);
	for (size_t i = 1; i < l->n; i++) {
		const struct idle_change *c = &l->changes[i - 1];
		double time = (double)(l->changes[i].time - c->time);

		l->changes[i].free = c->free + time * part_free(l, c);
		l->changes[i].ready_free = c->ready_free + (is_stolen(l, c) ? time * part_free(l, c) : 0);
		l->changes[i].stolen = c->stolen + (is_stolen(l, c) ? time : 0);
	}
}

struct idle *idle_of(const struct graph *g, unsigned processors)
{
	struct idle *l = array_zero(1, sizeof *l);
	turns all = {0};

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		turns_collect(&all, &g->threads[t]);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_time);
	changes_make(l, &all);
	free(all.at);
	l->processors = processors ? processors : processors_seen(l);
	sums_make(l);
	return l;
}

static const struct idle_change *change_at(const struct idle *l, int64_t time)
{
	size_t next = lower_bound(i, 0, l->n, l->changes[i].time <= time);

	return &l->changes[next ? next - 1 : 0];
}

static double free_until(const struct idle *l, int64_t time)
{
	const struct idle_change *c = change_at(l, time);

	return c->free + (double)(time - c->time) * part_free(l, c);
}

static double ready_until(const struct idle *l, int64_t time)
{
	const struct idle_change *c = change_at(l, time);

	return c->ready_free + (is_stolen(l, c) ? (double)(time - c->time) * part_free(l, c) : 0);
}

static double stolen_until(const struct idle *l, int64_t time)
{
	const struct idle_change *c = change_at(l, time);

	return c->stolen + (is_stolen(l, c) ? (double)(time - c->time) : 0);
}

double idle_ready(const struct idle *l, int64_t from, int64_t to)
{
	return from < to ? ready_until(l, to) - ready_until(l, from) : 0;
}

double idle_unused(const struct idle *l, int64_t from, int64_t to)
{
	return from < to ? free_until(l, to) - free_until(l, from) - idle_ready(l, from, to) : 0;
}

/* Returns the last change up to a time, from the last one before another time that was not later. */
static const struct idle_change *change_next(const struct idle *l, int64_t time, size_t *at)
{
	while (*at + 1 < l->n && l->changes[*at + 1].time <= time)
		++*at;
	return &l->changes[*at];
}

static double unused_at(const struct idle *l, const struct idle_change *c, int64_t time)
{
	double rest = (double)(time - c->time) * part_free(l, c);

	return c->free - c->ready_free + (is_stolen(l, c) ? 0 : rest);
}

double idle_unused_next(const struct idle *l, int64_t from, int64_t to, size_t *at)
{
	double before;

	if (from >= to)
		return 0;
	/* the first of many may begin far from where the last one ended */
	if (*at + 16 < l->n && l->changes[*at + 16].time <= from)
		*at = (size_t)(change_at(l, from) - l->changes);
	before = unused_at(l, change_next(l, from, at), from);
	return unused_at(l, change_next(l, to, at), to) - before;
}

double idle_stolen(const struct idle *l, int64_t from, int64_t to)
{
	return from < to ? stolen_until(l, to) - stolen_until(l, from) : 0;
}

int64_t idle_crowded(const struct idle *l, int64_t from, int64_t to)
{
	const struct idle_change *c = l->crowded ? change_at(l, from) : l->changes + l->n;
	const struct idle_change *end = l->changes + l->n;
	int64_t full = 0;

	for (; c < end && c->time < to; c++) {
		int64_t a = c->time > from ? c->time : from;
		int64_t b = c + 1 < end && c[1].time < to ? c[1].time : to;

		if (is_crowded(l, c) && a < b)
			full += b - a;
	}
	return full;
}

void idle_free_all(struct idle *l)
{
	free(l->changes);
	free(l);
}
