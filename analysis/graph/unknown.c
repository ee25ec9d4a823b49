#include "analysis/graph/unknown.h"
#include "analysis/graph/run_end.h"
#include "base/array.h"
#include "base/search.h"
#include <stdlib.h>
#include <string.h>

/*
 * Of the run. Below it, the range of a prediction is wider by the unknown time; above it, what is
 * left to say is less than what is not known (doc/decisions/whatif.md).
 */
static const double most_unknown = 0.1;

/* Time in which some thread can come to an event that ends another one's wait. */
struct active_time {
	int64_t from, to;
	int64_t before; /* the lengths of those before it */
};

struct unknown_waits {
	const struct graph *graph;
	VECTOR(struct active_time) active; /* in the order of time, apart from each other */
	int64_t unknown, blocked;          /* of all threads, ns */
};

/* ---- stretches ---- */

static bool is_sleep(const struct graph *g, const struct stretch *s)
{
	const struct interval *wait = s->role == NO_ROLE ? NULL : g->waits[s->role].interval;

	return wait && strcmp(style_label(&wait->style, wait->name), "sleep") == 0;
}

/* Whether it ends by itself: by a clock or a device, or the thread tries again and again. */
static bool ends_by_itself(const struct graph *g, const struct stretch *s)
{
	if (graph_until(g, s->role, s->timed_out) || is_sleep(g, s))
		return true;
	return s->role != NO_ROLE && g->waits[s->role].kind != KIND_WAIT;
}

static bool is_off(const struct stretch *s)
{
	return s->activity == ACTIVITY_WAITING || s->activity == ACTIVITY_BLOCKED;
}

static bool is_unknown(const struct graph *g, const struct stretch *s)
{
	return is_off(s) && s->cause_thread == NO_THREAD && !ends_by_itself(g, s);
}

static bool is_active(const struct graph *g, const struct stretch *s)
{
	return !is_off(s) || (s->cause_thread == NO_THREAD && ends_by_itself(g, s));
}

/* ---- the time in which threads are active ---- */

/* Adds a time that is not before the thread's last one. */
static void active_add(struct unknown_waits *u, size_t first, int64_t from, int64_t to)
{
	struct active_time *last = u->active.n > first ? &u->active.at[u->active.n - 1] : NULL;

	if (last && last->to == from)
		last->to = to;
	else if (from < to)
		*vector_add(&u->active) = (struct active_time){from, to, 0};
}

static void thread_add(struct unknown_waits *u, const struct timeline *l)
{
	size_t first = u->active.n;

	for (size_t i = 0; i < l->n && !run_end_waits(l, i); i++) {
		int64_t from = l->stretches[i].from, to = stretch_end(l, i);

		if (is_active(u->graph, &l->stretches[i]))
			active_add(u, first, from, to);
		if (is_off(&l->stretches[i]))
			u->blocked += to - from;
	}
}

static int by_from(const void *a, const void *b)
{
	const struct active_time *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void active_join(struct unknown_waits *u)
{
	struct active_time *a = u->active.at;
	size_t n = 0;

	if (!u->active.n)
		return;
	qsort(a, u->active.n, sizeof *a, by_from);
	for (size_t i = 1; i < u->active.n; i++) {
		if (a[i].from > a[n].to)
			a[++n] = a[i];
		else if (a[i].to > a[n].to)
			a[n].to = a[i].to;
	}
	u->active.n = n + 1;
	for (size_t i = 1; i <= n; i++)
		a[i].before = a[i - 1].before + a[i - 1].to - a[i - 1].from;
}

/* Returns how much of the time until a moment some thread is active. */
static int64_t active_until(const struct unknown_waits *u, int64_t time)
{
	const struct active_time *a = u->active.at;
	size_t i = lower_bound(k, 0, u->active.n, a[k].from < time);

	if (!i)
		return 0;
	return a[i - 1].before + (time < a[i - 1].to ? time : a[i - 1].to) - a[i - 1].from;
}

static int64_t active_between(const struct unknown_waits *u, int64_t from, int64_t to)
{
	return from < to ? active_until(u, to) - active_until(u, from) : 0;
}

/* ---- all ---- */

struct unknown_waits *unknown_waits_of(const struct graph *g)
{
	struct unknown_waits *u = array_zero(1, sizeof *u);

	u->graph = g;
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		thread_add(u, &g->threads[t]);
	active_join(u);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		for (size_t i = 0; i < g->threads[t].n; i++)
			u->unknown += unknown_in(u, t, i);
	return u;
}

void unknown_waits_free(struct unknown_waits *u)
{
	free(u->active.at);
	free(u);
}

/* The thread itself is not active then. */
int64_t unknown_in(const struct unknown_waits *u, uint32_t thread, size_t stretch)
{
	const struct timeline *l = &u->graph->threads[thread];
	const struct stretch *s = &l->stretches[stretch];

	return is_unknown(u->graph, s) && !run_end_waits(l, stretch)
		   ? active_between(u, s->from, stretch_end(l, stretch))
		   : 0;
}

int64_t unknown_before(const struct unknown_waits *u, uint32_t thread)
{
	const struct timeline *l = &u->graph->threads[thread];

	return l->n && l->creator == NO_THREAD ? active_between(u, 0, l->begin) : 0;
}

/* Returns how much of a piece of a path is unknown from one time to another. */
static int64_t piece_unknown(const struct unknown_waits *u, const struct path_piece *p,
			     int64_t from, int64_t to)
{
	struct stretch s = {.cause_thread = NO_THREAD,
			    .role = p->role,
			    .activity = p->activity,
			    .timed_out = p->timed_out};

	if (p->kind != PATH_NOBODY && (p->kind != PATH_STRETCH || !is_unknown(u->graph, &s)))
		return 0;
	return active_between(u, p->from > from ? p->from : from, p->to < to ? p->to : to);
}

struct unknown_part unknown_on(const struct unknown_waits *u, const struct critical_path *path,
			       int64_t from, int64_t to)
{
	uint32_t nthreads = u->graph->trace->nthreads;
	int64_t *of = array_zero(nthreads, sizeof *of);
	struct unknown_part all = {.thread = NO_THREAD};

	for (size_t i = 0; i < path->n; i++) {
		const struct path_piece *p = &path->pieces[i];
		int64_t time = piece_unknown(u, p, from, to);

		all.time += time;
		if (p->thread != NO_THREAD)
			of[p->thread] += time;
	}
	for (uint32_t t = 0; t < nthreads; t++)
		if (of[t] > all.most) {
			all.most = of[t];
			all.thread = t;
		}
	free(of);
	return all;
}

struct unknown_part unknown_of_path(const struct graph *g, const struct critical_path *path,
				    int64_t from, int64_t to)
{
	struct unknown_waits *u = unknown_waits_of(g);
	struct unknown_part part = unknown_on(u, path, from, to);

	unknown_waits_free(u);
	return part;
}

bool unknown_decides(int64_t unknown, int64_t run)
{
	return (double)unknown > most_unknown * (double)run;
}

int64_t unknown_all(const struct unknown_waits *u)
{
	return u->unknown;
}

bool unknown_is_usual(const struct unknown_waits *u)
{
	return 2 * u->unknown > u->blocked;
}
