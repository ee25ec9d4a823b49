#include "viewers/gorge/build/building.h"
#include "base/path.h"
#include "base/visible.h"
#include "viewers/gorge/style/text_width.h"
#include <stdlib.h>
#include <string.h>

/* ---- which lanes there are, and in which order ---- */

/*
 * More than MOST_LANES threads share lanes; a page of a given height has LEAST_PIXELS for each
 * lane.
 */
enum { MOST_LANES = 1000, LEAST_PIXELS = 3 };

/* Names below a heading stand so much further to the right. */
enum { INDENT = 12 };

/* What threads and processes are sorted by. */
struct rank {
	unsigned thread, process;
	const char *name;
	uint64_t events;
	int64_t first;          /* INT64_MAX: it has no events */
};

struct lane_order {
	const struct building *g;
	struct rank *threads, *processes;
	unsigned n;
	bool grouped;
};

static int compare_ranks(enum sort sort, const struct rank *a, const struct rank *b)
{
	switch (sort) {
	case SORT_LOGGED:
		return 0;
	case SORT_START:
		return (a->first > b->first) - (a->first < b->first);
	case SORT_NAME:
		return strverscmp(a->name, b->name);
	case SORT_ACTIVITY:
		return (a->events < b->events) - (a->events > b->events);
	}
	return 0;
}

static int compare_threads(const void *pa, const void *pb, void *context)
{
	const struct rank *a = pa, *b = pb;
	const struct lane_order *o = context;
	enum sort sort = o->g->view->sort;
	int order = 0;

	if (o->grouped && a->process != b->process) {
		order = compare_ranks(sort, &o->processes[a->process], &o->processes[b->process]);
		return order ? order : a->process < b->process ? -1 : 1;
	}
	order = compare_ranks(sort, a, b);
	return order ? order : (a->thread > b->thread) - (a->thread < b->thread);
}

/* Adds a thread to its process, which has its events and begins with its first thread. */
static void add_to_process(struct rank *process, const struct rank *thread)
{
	process->events += thread->events;
	if (thread->first < process->first)
		process->first = thread->first;
}

/* Returns the process of thread i, which is p or a later one. */
static unsigned process_from(const struct trace *t, unsigned i, unsigned p)
{
	while (p + 1 < t->nprocesses && i >= t->processes[p].first_thread +
	       t->processes[p].nthreads)
		p++;
	return p;
}

static void rank_threads(struct lane_order *o)
{
	const struct trace *t = o->g->trace;

	for (unsigned p = 0; p < t->nprocesses; p++)
		o->processes[p] = (struct rank){.name = t->processes[p].path, .first = INT64_MAX};
	for (unsigned i = 0, process = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];
		struct rank rank = {i, process = process_from(t, i, process), thread->name,
				    thread->events, thread->events ? thread->first : INT64_MAX};
		if (!o->g->threads[i])
			continue;
		add_to_process(&o->processes[process], &rank);
		o->threads[o->n++] = rank;
	}
	qsort_r(o->threads, o->n, sizeof *o->threads, compare_threads, o);
}

/* Returns how many threads each lane stands for. */
static unsigned fold(const struct building *g, unsigned threads)
{
	unsigned most = MOST_LANES;

	if (g->view->height > 0 && g->view->height / LEAST_PIXELS < most)
		most = (unsigned)(g->view->height / LEAST_PIXELS);
	most = most ? most : 1;
	return threads <= most ? 1 : (threads + most - 1) / most;
}

/* Returns whether the page's list of what is collapsed names "p1", a process, or "7", a thread. */
static bool is_collapsed(const struct building *g, bool process, uint32_t number)
{
	const char *list = g->view->collapsed;

	while (list && *list) {
		bool p = *list == 'p';
		char *end;
		if (strtoul(list + p, &end, 10) == number && p == process && end > list + p)
			return true;
		list = strchr(end, ',');
		list = list ? list + 1 : NULL;
	}
	return false;
}

static bool all_collapsed(const struct building *g, const struct rank *threads, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!is_collapsed(g, false, g->trace->threads[threads[i].thread].number))
			return false;
	return true;
}

/* Lanes for the threads [i, end) of the order, which are one process or all that there are. */
static void plan_group(struct building *g, const struct lane_order *o, unsigned i, unsigned end,
		       unsigned each)
{
	unsigned process = o->threads[i].process;
	bool headed = o->grouped && end - i > 1;
	bool collapsed = headed && is_collapsed(g, true, process);

	if (headed)
		*vector_add(&g->plan) = (struct lane_plan){
			.first = i, .n = collapsed ? end - i : 0, .heading = true,
			.collapsed = collapsed, .small = true, .process = process};
	for (; i < end && !collapsed; i += each) {
		unsigned n = end - i < each ? end - i : each;
		bool small = all_collapsed(g, &o->threads[i], n);
		*vector_add(&g->plan) = (struct lane_plan){
			.first = i, .n = n, .small = small, .collapsed = small,
			.process = o->threads[i].process, .indent = headed ? INDENT : 0};
	}
}

void building_order(struct building *g)
{
	const struct trace *t = g->trace;
	struct lane_order o = {
		.g = g, .threads = array_zero(t->nthreads, sizeof *o.threads),
		.processes = array_zero(t->nprocesses + 1, sizeof *o.processes),
		.grouped = t->nprocesses > 1 && !g->view->flat,
	};
	unsigned each;

	rank_threads(&o);
	each = fold(g, o.n);
	g->order = array_zero(o.n, sizeof *g->order);
	for (unsigned i = 0; i < o.n; i++)
		g->order[i] = o.threads[i].thread;
	for (unsigned i = 0, end; i < o.n; i = end) {
		for (end = i + 1; end < o.n; end++)
			if (o.grouped && o.threads[end].process != o.threads[i].process)
				break;
		plan_group(g, &o, i, end, each);
	}
	free(o.threads);
	free(o.processes);
}

/* ---- the lanes themselves ---- */

/* Replaces a text by one without what cannot be shown. */
static char *cleaned(char *text)
{
	char *clean = visible_text(text);

	free(text);
	return clean;
}

/* Returns the process, its program and how many threads of it are shown; to be freed. */
static char *heading_name(const struct trace *t, const struct lane_plan *p, unsigned threads)
{
	const struct trace_process *process = &t->processes[p->process];
	char *base = path_name(process->path), *name;

	if (p->collapsed)
		return cleaned(base);
	name = text_format("%s  %s%spid %u, %u threads", base, process->program,
			   *process->program ? ", " : "", process->pid, threads);
	free(base);
	return cleaned(name);
}

/*
 * Returns a thread's name; of several processes, one that is not below a heading has the directory
 * before its name.
 */
static char *thread_name(const struct trace *t, const struct lane_plan *p, unsigned thread)
{
	char *base, *name;

	if (t->nprocesses < 2 || p->indent)
		return visible_text(t->threads[thread].name);
	base = path_name(t->processes[p->process].path);
	name = text_format("%s: %s", base, t->threads[thread].name);
	free(base);
	return cleaned(name);
}

/* Returns the lane's name: of several threads that of the first and that of the last. */
static char *lane_name(const struct building *g, const struct lane_plan *p)
{
	char *first = thread_name(g->trace, p, g->order[p->first]), *both;

	if (p->n < 2)
		return first;
	both =
	    text_format("%s to %s", first, g->trace->threads[g->order[p->first + p->n - 1]].name);
	free(first);
	return cleaned(both);
}

static void add_number(struct lane *lane, uint32_t number)
{
	struct thread_run *last = lane->threads.n ? &lane->threads.at[lane->threads.n - 1] : NULL;

	if (last && last->last + 1 == number)
		last->last = number;
	else
		*vector_add(&lane->threads) = (struct thread_run){number, number};
}

static void join(struct lane *lane, const struct trace_thread *t)
{
	add_number(lane, t->number);
	lane->lost += t->lost;
	lane->skipped += t->skipped;
	if (t->events == 0)
		return;
	if (!lane->alive || t->first < lane->born)
		lane->born = t->first;
	if (!lane->alive || t->last > lane->died)
		lane->died = t->last;
	lane->alive = true;
}

/* Returns how many threads are below the heading, or in it. */
static unsigned threads_below(const struct building *g, size_t heading)
{
	unsigned n = g->plan.at[heading].n;

	for (size_t i = heading + 1; i < g->plan.n && g->plan.at[i].indent; i++)
		n += g->plan.at[i].n;
	return n;
}

static void fill_lane(struct building *g, unsigned i)
{
	const struct lane_plan *p = &g->plan.at[i];
	struct lane *lane = &g->scene->lanes[i];

	lane->name = p->heading ? heading_name(g->trace, p, threads_below(g, i)) : lane_name(g, p);
	lane->heading = p->heading;
	lane->collapsed = p->collapsed;
	lane->small = p->small;
	lane->process = p->process;
	lane->indent = p->indent;
	for (unsigned t = p->first; t < p->first + p->n; t++) {
		g->lane_of[g->order[t]] = i;
		join(lane, &g->trace->threads[g->order[t]]);
	}
}

void building_lanes(struct building *g)
{
	for (unsigned i = 0; i < g->trace->nthreads; i++)
		g->lane_of[i] = NO_KEY;
	for (unsigned i = 0; i < g->plan.n; i++)
		fill_lane(g, i);
}

static double within(const struct scene *s, int64_t time)
{
	double x = scene_x(s, time);

	return x < 0 ? 0 : x > s->columns ? s->columns : x;
}

void building_gaps(struct building *g)
{
	struct scene *s = g->scene;

	for (size_t i = 0; i < g->trace->ngaps; i++) {
		const struct trace_gap *gap = &g->trace->gaps[i];
		uint32_t lane = gap->thread == EVERY_THREAD ? NO_KEY : g->lane_of[gap->thread];
		if (gap->to < s->window.from || gap->from > s->window.to ||
		    (lane == NO_KEY && gap->thread != EVERY_THREAD))
			continue;
		*vector_add(&s->gaps) = (struct gap){
			.lane = lane, .off = gap->kind == GAP_OFF,
			.x0 = within(s, gap->from), .x1 = within(s, gap->to),
			.type = gap->type ? text_format("%s", gap->type->name) : NULL,
		};
	}
}
