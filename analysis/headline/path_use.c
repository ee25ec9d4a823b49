#include "analysis/headline/path_use.h"
#include "analysis/why/meanwhile.h"
#include "base/search.h"
#include <stdlib.h>

/* ---- sorts of its time ---- */

/* Returns the class of the wait that a piece of the path is in. */
static uint32_t class_of(const struct evidence *g, const struct path_piece *p)
{
	const span_vector *waits = instance_spans(g->set, SPANS_WAIT, p->thread);
	size_t after = lower_bound(i, 0, waits->n, waits->at[i].start <= p->from);

	return after ? waits->at[after - 1].class : NO_CLASS;
}

static enum path_sort sort_of(const struct evidence *g, const struct path_piece *p)
{
	if (p->kind != PATH_STRETCH)
		return p->kind == PATH_NOBODY ? PATH_UNKNOWN : PATH_READY;
	if (p->activity == ACTIVITY_RUNNING)
		return PATH_RUNS;
	if (p->activity == ACTIVITY_READY)
		return PATH_READY;
	if (p->activity != ACTIVITY_WAITING || p->role == NO_ROLE)
		return PATH_UNKNOWN;
	if (g->graph->waits[p->role].kind == KIND_IO)
		return PATH_IO;
	if (g->graph->waits[p->role].interval->idle)
		return PATH_IDLE;
	return graph_until(g->graph, p->role, p->timed_out) ? PATH_TIME : PATH_UNKNOWN;
}

/* Where a thread's timeline has come to: a stretch, and how many before it are READY. */
struct ready_cursor {
	size_t stretch, ready;
};

/* Times by thread and by class, of each sort. */
struct using
{
	struct path_use *use;
	struct ready_cursor *cursors; /* of each thread */
	int64_t *threads[NPATH_SORTS];
	struct axis_sums classes[NPATH_SORTS];
};

/*
 * Returns how long a thread that is ready in a piece lacks a processor that no thread of the
 * program has. As far as the program decides, it computes then. Pieces come in order of time.
 */
static int64_t others_take(struct using *u, const struct evidence *g, const struct path_piece *p,
			   const struct moment_range *r)
{
	const struct timeline *l = &g->graph->threads[p->thread];
	struct ready_cursor *c = &u->cursors[p->thread];
	double whole, queued, stolen = idle_stolen(g->idle, r->from, r->to);

	while (c->stretch < l->n && stretch_end(l, c->stretch) <= r->from)
		c->ready += l->stretches[c->stretch++].activity == ACTIVITY_READY;
	if (c->stretch == l->n || l->stretches[c->stretch].activity != ACTIVITY_READY)
		return 0;
	whole = (double)(stretch_end(l, c->stretch) - l->stretches[c->stretch].from);
	queued = (double)g->queued[p->thread][c->ready] * (double)(r->to - r->from) / whole;
	return stolen > queued ? (int64_t)(stolen - queued) : 0;
}

static void time_use(struct using *u, const struct evidence *g, const struct path_piece *p,
		     enum path_sort s, int64_t time)
{
	uint32_t class = s == PATH_TIME || s == PATH_IO ? class_of(g, p) : NO_CLASS;

	u->use->all += time;
	u->use->of[s] += time;
	if (p->thread == NO_THREAD)
		return;
	u->threads[s][p->thread] += time;
	if (u->threads[s][p->thread] > u->use->most[s]) {
		u->use->most[s] = u->threads[s][p->thread];
		u->use->thread[s] = p->thread;
	}
	if (class != NO_CLASS)
		axis_sums_add(&u->classes[s], class, time);
}

static void piece_use(struct using *u, const struct evidence *g, const struct path_piece *p,
		      const struct moment_range *r)
{
	enum path_sort s = sort_of(g, p);
	int64_t others = s == PATH_READY && p->kind == PATH_STRETCH ? others_take(u, g, p, r) : 0;

	if (others)
		time_use(u, g, p, PATH_RUNS, others);
	time_use(u, g, p, s, r->to - r->from - others);
}

static void using_begin(struct using *u, struct path_use *use, uint32_t nthreads)
{
	*u = (struct using){.use = use};
	u->cursors = array_zero(nthreads, sizeof *u->cursors);
	for (size_t s = 0; s < NPATH_SORTS; s++) {
		u->threads[s] = array_zero(nthreads, sizeof *u->threads[s]);
		use->thread[s] = NO_THREAD;
	}
}

static void using_end(struct using *u)
{
	for (size_t s = 0; s < NPATH_SORTS; s++) {
		axis_values values = axis_sums_end(&u->classes[s]);

		u->use->class[s] = values.n ? (uint32_t)values.at[0].key : NO_CLASS;
		free(values.at);
		free(u->threads[s]);
	}
	free(u->cursors);
}

static struct moment_range piece_within(const struct path_piece *p, int64_t from, int64_t to)
{
	return (struct moment_range){p->from > from ? p->from : from, p->to < to ? p->to : to};
}

struct path_use path_use_of(const struct evidence *g, int64_t from, int64_t to)
{
	struct path_use use = {0};
	struct using u;

	using_begin(&u, &use, g->trace->nthreads);
	for (size_t i = 0; i < g->path->n; i++) {
		struct moment_range r = piece_within(&g->path->pieces[i], from, to);

		if (r.from < r.to)
			piece_use(&u, g, &g->path->pieces[i], &r);
	}
	using_end(&u);
	return use;
}

/* ---- functions ---- */

static struct function_time function_first(struct meanwhile *m)
{
	axis_values runs = axis_sums_end(&m->runs), waits = axis_sums_end(&m->waits);
	axis_values modules = axis_sums_end(&m->modules), paging = axis_sums_end(&m->paging);
	struct function_time first = {.key = NO_KEY, .module = NO_KEY, .paging_key = NO_KEY};

	if (runs.n && m->functions)
		first.key = runs.at[0].key, first.time = runs.at[0].time;
	if (modules.n)
		first.module = modules.at[0].key, first.module_time = modules.at[0].time;
	for (size_t i = 0; i < runs.n; i++)
		first.all += runs.at[i].time;
	for (size_t i = 0; i < paging.n; i++)
		first.paging += paging.at[i].time;
	if (paging.n)
		first.paging_key = paging.at[0].key;
	free(paging.at);
	free(runs.at);
	free(waits.at);
	free(modules.at);
	return first;
}

struct function_time path_function(const struct evidence *g, uint32_t thread, int64_t from,
				   int64_t to)
{
	moment_ranges *of = array_zero(g->trace->nthreads, sizeof *of);
	struct meanwhile m = {0};

	for (size_t i = 0; i < g->path->n; i++) {
		const struct path_piece *p = &g->path->pieces[i];
		struct moment_range r = piece_within(p, from, to);

		if (p->thread != NO_THREAD && (thread == NO_THREAD || p->thread == thread) &&
		    r.from < r.to && sort_of(g, p) == PATH_RUNS)
			*vector_add(&of[p->thread]) = r;
	}
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		of[t].n = ranges_join(of[t].at, of[t].n);
		if (of[t].n)
			meanwhile_add(&m, g, t, of[t].at, of[t].n);
		free(of[t].at);
	}
	free(of);
	return function_first(&m);
}

struct function_time most_run_function(const struct evidence *g, int64_t from, int64_t to)
{
	struct moment_range all = {from, to};
	struct meanwhile m = {0};

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		meanwhile_add(&m, g, t, &all, 1);
	return function_first(&m);
}
