#include "analysis/headline/path_use.h"
#include "analysis/why/meanwhile.h"
#include "base/ranges.h"
#include "base/search.h"
#include <stdlib.h>

/* Of the running time: where less is known, as of many short threads, no function stands for it. */
static const double least_known = 0.5;
/* Of the running time: with less, what starts and ends programs does not stand for it. */
static const double most_start = 0.5;
/* Of the time of a function, from which on it is said to be that of a thread. */
static const double nearly_all = 0.9;
/* Of few samples: the function has more than half of the time then, in 19 of 20 cases. */
static const double clearly_most = 0.85;

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

/* A part of a piece of the path, of one sort. */
struct piece_part {
	struct moment_range r;
	enum path_sort sort;
	uint32_t class; /* of the wait or the io that it is in; NO_CLASS */
};
typedef VECTOR(struct piece_part) piece_parts;

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
 * program has. Nothing in the program takes that time. Pieces come in order of time.
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

static void time_use(struct using *u, uint32_t thread, const struct piece_part *p, int64_t time)
{
	enum path_sort s = p->sort;

	u->use->all += time;
	u->use->of[s] += time;
	if (thread == NO_THREAD)
		return;
	u->threads[s][thread] += time;
	if (u->threads[s][thread] > u->use->most[s]) {
		u->use->most[s] = u->threads[s][thread];
		u->use->thread[s] = thread;
	}
	if (p->class != NO_CLASS)
		axis_sums_add(&u->classes[s], p->class, time);
}

static void part_add(piece_parts *parts, int64_t from, int64_t to, enum path_sort s, uint32_t class)
{
	if (from < to)
		*vector_add(parts) = (struct piece_part){{from, to}, s, class};
}

/* A thread that runs within input or output, such as fsync(), does not compute. */
static void running_split(const struct evidence *g, uint32_t thread, const struct moment_range *r,
			  piece_parts *parts)
{
	const span_vector *waits = instance_spans(g->set, SPANS_WAIT, thread);
	int64_t from = r->from;

	for (size_t i = lower_bound(k, 0, waits->n, waits->at[k].end <= r->from);
	     i < waits->n && waits->at[i].start < r->to; i++) {
		const struct instance_span *w = &waits->at[i];
		int64_t start = w->start > from ? w->start : from;
		int64_t end = w->end < r->to ? w->end : r->to;

		if (span_role(g->set, w)->kind != KIND_IO || start >= end)
			continue;
		part_add(parts, from, start, PATH_RUNS, NO_CLASS);
		part_add(parts, start, end, PATH_IO, w->class);
		from = end;
	}
	part_add(parts, from, r->to, PATH_RUNS, NO_CLASS);
}

static void parts_of(const struct evidence *g, const struct path_piece *p,
		     const struct moment_range *r, piece_parts *parts)
{
	enum path_sort s = sort_of(g, p);

	parts->n = 0;
	if (s == PATH_RUNS)
		running_split(g, p->thread, r, parts);
	else
		part_add(parts, r->from, r->to, s,
			 s == PATH_TIME || s == PATH_IO ? class_of(g, p) : NO_CLASS);
}

static void piece_use(struct using *u, const struct evidence *g, const struct path_piece *p,
		      const struct moment_range *r, piece_parts *parts)
{
	parts_of(g, p, r, parts);
	for (size_t i = 0; i < parts->n; i++) {
		struct piece_part *part = &parts->at[i];
		bool ready = part->sort == PATH_READY && p->kind == PATH_STRETCH;
		int64_t others = ready ? others_take(u, g, p, r) : 0;

		u->use->others += others;
		time_use(u, p->thread, part, part->r.to - part->r.from - others);
	}
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
	piece_parts parts = {0};
	struct using u;

	using_begin(&u, &use, g->trace->nthreads);
	for (size_t i = 0; i < g->path->n; i++) {
		struct moment_range r = piece_within(&g->path->pieces[i], from, to);

		if (r.from < r.to)
			piece_use(&u, g, &g->path->pieces[i], &r, &parts);
	}
	using_end(&u);
	free(parts.at);
	return use;
}

/* ---- functions ---- */

/* Whether a key is among the values. */
static bool is_among(const axis_values *values, int64_t key)
{
	for (size_t i = 0; i < values->n; i++)
		if (values->at[i].key == key)
			return true;
	return false;
}

static int64_t sum_of(const axis_values *values)
{
	int64_t sum = 0;

	for (size_t i = 0; i < values->n; i++)
		sum += values->at[i].time;
	return sum;
}

/*
 * Returns the function with most time; what starts and ends programs, which none of their functions
 * called, only if it is most of all.
 */
static const struct axis_value *value_first(const axis_values *runs, const axis_values *starts)
{
	bool starting = (double)sum_of(starts) > most_start * (double)sum_of(runs);

	for (size_t i = 0; i < runs->n; i++)
		if (is_among(starts, runs->at[i].key) == starting)
			return &runs->at[i];
	return runs->n ? &runs->at[0] : NULL;
}

/* Whether few samples are enough, since nearly all are in one function. */
static bool is_clear(const struct axis_value *run, const axis_values *runs, size_t samples)
{
	return run && samples >= CLEAR_SAMPLES &&
	       (double)run->time >= clearly_most * (double)sum_of(runs);
}

static struct function_time function_first(const struct evidence *g, struct meanwhile *m)
{
	axis_values runs = axis_sums_end(&m->runs), modules = axis_sums_end(&m->modules);
	axis_values paging = axis_sums_end(&m->paging), starts = axis_sums_end(&m->starts);
	axis_values kernel = axis_sums_end(&m->kernel), spinning = axis_sums_end(&m->spinning);
	const struct axis_value *run = value_first(&runs, &starts);
	struct function_time first = {.key = NO_KEY,
				      .module = NO_KEY,
				      .paging_key = paging.n ? paging.at[0].key : NO_KEY,
				      .kernel_key = kernel.n ? kernel.at[0].key : NO_KEY,
				      .all = sum_of(&runs),
				      .paging = sum_of(&paging),
				      .kernel = sum_of(&kernel),
				      .samples = m->samples,
				      .few = g->set->samples && m->ran && !m->calls &&
					     m->samples < FEW_SAMPLES &&
					     !is_clear(run, &runs, m->samples)};

	if (run && m->functions)
		first.key = run->key, first.time = run->time;
	if (modules.n)
		first.module = modules.at[0].key, first.module_time = modules.at[0].time;
	if (first.few || (double)first.all < least_known * (double)m->ran)
		first.key = first.module = first.paging_key = first.kernel_key = NO_KEY;
	for (size_t i = 0; i < spinning.n; i++)
		if (spinning.at[i].key == first.key)
			first.spinning = spinning.at[i].time;
	free(kernel.at);
	free(starts.at);
	free(paging.at);
	free(spinning.at);
	free(runs.at);
	free(modules.at);
	meanwhile_clear(m);
	return first;
}

/* Returns when each thread runs on the path; thread: that one alone, or NO_THREAD. */
static moment_ranges *runs_of(const struct evidence *g, uint32_t thread, int64_t from, int64_t to)
{
	moment_ranges *of = array_zero(g->trace->nthreads, sizeof *of);
	piece_parts parts = {0};

	for (size_t i = 0; i < g->path->n; i++) {
		const struct path_piece *p = &g->path->pieces[i];
		struct moment_range r = piece_within(p, from, to);

		if (p->thread == NO_THREAD || (thread != NO_THREAD && p->thread != thread) ||
		    r.from >= r.to)
			continue;
		parts_of(g, p, &r, &parts);
		for (size_t k = 0; k < parts.n; k++)
			if (parts.at[k].sort == PATH_RUNS)
				*vector_add(&of[p->thread]) = parts.at[k].r;
	}
	free(parts.at);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		of[t].n = ranges_join(of[t].at, of[t].n);
	return of;
}

static void runs_free(const struct evidence *g, moment_ranges *of)
{
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		free(of[t].at);
	free(of);
}

struct function_time path_function(const struct evidence *g, uint32_t thread, int64_t from,
				   int64_t to)
{
	moment_ranges *of = runs_of(g, thread, from, to);
	struct meanwhile m = {0};

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (of[t].n)
			meanwhile_add(&m, g, t, of[t].at, of[t].n);
	runs_free(g, of);
	return function_first(g, &m);
}

/* Returns how long a thread is in a function in ranges; NO_KEY: in any, or none that is known. */
static int64_t time_in(const struct evidence *g, uint32_t thread, const moment_ranges *ranges,
		       int64_t function)
{
	struct meanwhile m = {0};
	axis_values runs;
	int64_t time = 0;

	meanwhile_add(&m, g, thread, ranges->at, ranges->n);
	runs = axis_sums_end(&m.runs);
	for (size_t i = 0; i < runs.n; i++)
		if (runs.at[i].key == function)
			time += runs.at[i].time;
	free(runs.at);
	meanwhile_clear(&m);
	return function == NO_KEY ? m.ran : time;
}

/* Returns what has nearly all of the time, or NO_KEY. */
static int64_t most_of(struct axis_sums *sums, int64_t all)
{
	axis_values values = axis_sums_end(sums);
	int64_t key = values.n && (double)values.at[0].time >= nearly_all * (double)all
			  ? values.at[0].key
			  : NO_KEY;

	free(values.at);
	return key;
}

struct group_use path_group_of(const struct evidence *g, uint32_t thread, int64_t from, int64_t to)
{
	moment_ranges *of = runs_of(g, NO_THREAD, from, to);
	struct group_use use = {.group = g->groups[thread]};

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		int64_t time = 0;

		if (g->groups[t] != use.group)
			continue;
		for (size_t i = 0; i < of[t].n; i++)
			time += of[t].at[i].to - of[t].at[i].from;
		use.threads++;
		use.time += time;
		use.most = time > use.most ? time : use.most;
	}
	runs_free(g, of);
	return use;
}

uint32_t path_thread_of(const struct evidence *g, int64_t function, int64_t from, int64_t to,
			int64_t *group)
{
	moment_ranges *of = runs_of(g, NO_THREAD, from, to);
	struct axis_sums threads = {0}, groups = {0};
	int64_t all = 0, thread;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		int64_t time = of[t].n ? time_in(g, t, &of[t], function) : 0;

		if (!time)
			continue;
		all += time;
		axis_sums_add(&threads, t, time);
		axis_sums_add(&groups, g->groups[t], time);
	}
	runs_free(g, of);
	thread = most_of(&threads, all);
	*group = most_of(&groups, all);
	return thread == NO_KEY ? NO_THREAD : (uint32_t)thread;
}

struct function_time most_run_function(const struct evidence *g, int64_t from, int64_t to)
{
	struct moment_range all = {from, to};
	struct meanwhile m = {0};

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		meanwhile_add(&m, g, t, &all, 1);
	return function_first(g, &m);
}
