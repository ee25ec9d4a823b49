#include "analysis/graph/guessed_wakers.h"
#include "analysis/graph/graph.h"
#include "analysis/graph/run_end.h"
#include "base/array.h"
#include "base/units.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/*
 * SHORTEST: shorter waits are those for the kernel's own locks. NEAR: a thread that is woken runs
 * so long after its waker at most, where both share a processor. ns
 */
enum { SHORTEST = 20000, NEAR = 100000, LEAST_WAITS = 8 };
/*
 * So many of a thread's waits end while one of the others runs, and that is by so many standard
 * deviations more than would by chance.
 */
static const double most_of_them = 0.9, odd_deviations = 3;
/* A thread that runs for a larger part of the time says nothing. */
static const double often = 0.95;

/* A thread runs. */
struct guess_run {
	int64_t from, to;
	uint32_t thread;
};

/* A wait without a cause, and the thread that ran when it ended. */
struct guess_wait {
	int64_t from, end;
	size_t stretch;
	uint32_t thread;
	uint32_t waker; /* NO_THREAD: none */
	int64_t time;   /* at which the waker ran last */
};

struct guessing {
	struct graph *graph;
	VECTOR(struct guess_run) runs;   /* by their starts */
	VECTOR(struct guess_wait) waits; /* by their ends */
	double *share;                   /* by thread: the part of the run near its running */
	VECTOR(size_t) running;          /* of the runs, those near the present time */
};

/* ---- runs and waits ---- */

static bool is_unexplained(const struct timeline *l, size_t i)
{
	const struct stretch *s = &l->stretches[i];

	return s->activity == ACTIVITY_BLOCKED && s->role == NO_ROLE &&
	       s->cause_thread == NO_THREAD && stretch_end(l, i) - s->from >= SHORTEST &&
	       i + 1 < l->n && !run_end_waits(l, i);
}

static void thread_add(struct guessing *k, uint32_t thread)
{
	const struct timeline *l = &k->graph->threads[thread];
	int64_t whole = k->graph->trace->duration;
	double near = 0;

	for (size_t i = 0; i < l->n; i++) {
		int64_t from = l->stretches[i].from, to = stretch_end(l, i);

		if (is_unexplained(l, i))
			*vector_add(&k->waits) =
			    (struct guess_wait){from, to, i, thread, NO_THREAD, 0};
		if (l->stretches[i].activity != ACTIVITY_RUNNING)
			continue;
		*vector_add(&k->runs) = (struct guess_run){from, to, thread};
		near += (double)(to - from + NEAR);
	}
	k->share[thread] = whole > 0 && near < (double)whole ? near / (double)whole : 1;
}

static int by_from(const void *a, const void *b)
{
	const struct guess_run *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static int by_end(const void *a, const void *b)
{
	const struct guess_wait *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* ---- who ran ---- */

/* Forgets runs that ended long before a time. */
static void running_forget(struct guessing *k, int64_t time)
{
	size_t kept = 0;

	for (size_t i = 0; i < k->running.n; i++)
		if (k->runs.at[k->running.at[i]].to >= time - NEAR)
			k->running.at[kept++] = k->running.at[i];
	k->running.n = kept;
}

/* Of the threads that ran at the end of a wait, the one that runs least in all. */
static void waker_choose(const struct guessing *k, struct guess_wait *w)
{
	for (size_t i = 0; i < k->running.n; i++) {
		const struct guess_run *r = &k->runs.at[k->running.at[i]];

		if (r->thread == w->thread || r->to <= w->from || k->share[r->thread] > often ||
		    (w->waker != NO_THREAD && k->share[w->waker] <= k->share[r->thread]))
			continue;
		w->waker = r->thread;
		w->time = r->to < w->end ? r->to : w->end;
	}
}

static void wakers_choose(struct guessing *k)
{
	size_t next = 0;

	for (size_t i = 0; i < k->waits.n; i++) {
		struct guess_wait *w = &k->waits.at[i];

		for (; next < k->runs.n && k->runs.at[next].from <= w->end; next++)
			*vector_add(&k->running) = next;
		running_forget(k, w->end);
		waker_choose(k, w);
	}
}

/* ---- whether that is no chance ---- */

/* Of the unexplained waits of a thread. */
struct guess_count {
	uint64_t all, ran;
};

/* Returns the part of the time in which another thread runs that may be a waker. */
static double others_share(const struct guessing *k, uint32_t thread)
{
	double none = 1;

	for (uint32_t t = 0; t < k->graph->trace->nthreads; t++)
		if (t != thread && k->share[t] <= often)
			none *= 1 - k->share[t];
	return 1 - none;
}

static bool is_no_chance(const struct guessing *k, uint32_t thread, const struct guess_count *c)
{
	double share = others_share(k, thread), n = (double)c->all, ran = (double)c->ran;

	return c->all >= LEAST_WAITS && ran >= most_of_them * n &&
	       ran - n * share > odd_deviations * sqrt(n * share * (1 - share));
}

static void causes_give(struct guessing *k)
{
	uint32_t n = k->graph->trace->nthreads;
	struct guess_count *counts = array_zero(n, sizeof *counts);
	bool *sure = array_new(n, sizeof *sure);

	for (size_t i = 0; i < k->waits.n; i++) {
		counts[k->waits.at[i].thread].all++;
		counts[k->waits.at[i].thread].ran += k->waits.at[i].waker != NO_THREAD;
	}
	for (uint32_t t = 0; t < n; t++)
		sure[t] = is_no_chance(k, t, &counts[t]);
	for (size_t i = 0; i < k->waits.n; i++) {
		const struct guess_wait *w = &k->waits.at[i];
		struct stretch *s = &k->graph->threads[w->thread].stretches[w->stretch];

		if (!sure[w->thread] || w->waker == NO_THREAD)
			continue;
		s->cause_thread = w->waker;
		s->cause_time = w->time;
		s->guessed = true;
		k->graph->guessed.n++;
		k->graph->guessed.time += w->end - w->from;
	}
	free(counts);
	free(sure);
}

void guessed_wakers_find(struct graph *g)
{
	struct guessing k = {.graph = g, .share = array_zero(g->trace->nthreads, sizeof *k.share)};

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		thread_add(&k, t);
	if (k.waits.n >= LEAST_WAITS) {
		qsort(k.runs.at, k.runs.n, sizeof *k.runs.at, by_from);
		qsort(k.waits.at, k.waits.n, sizeof *k.waits.at, by_end);
		wakers_choose(&k);
		causes_give(&k);
	}
	free(k.share);
	free(k.runs.at);
	free(k.waits.at);
	free(k.running.at);
}

bool guessed_waits_matter(const struct graph *g)
{
	static const double little = 0.01; /* of the run */

	return (double)g->guessed.time > little * (double)run_end_time(g);
}

char *guessed_waits_text(const struct graph *g)
{
	char time[UNITS_TEXT];

	if (!guessed_waits_matter(g))
		return NULL;
	return text_format("%" PRIu64 " waits of %s end when another thread runs, which "
			   "probably ends them; no event shows that",
			   g->guessed.n, units_time(time, (double)g->guessed.time));
}
