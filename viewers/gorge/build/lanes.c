#include "viewers/gorge/build/building.h"
#include "viewers/gorge/style/text_width.h"
#include <libgen.h>
#include <stdlib.h>

/* The last part of a path, to be freed. */
static char *base_of(const char *path)
{
	char *copy = text_format("%s", path), *base = text_format("%s", basename(copy));

	free(copy);
	return base;
}

/* The text without what cannot be shown; it is replaced. */
static char *cleaned(char *text)
{
	char *clean = text_clean(text);

	free(text);
	return clean;
}

/* The process, its program and how many threads of it are shown; to be freed. */
static char *heading_name(const struct trace *t, const struct lane_plan *p, unsigned threads)
{
	const struct trace_process *process = &t->processes[p->process];
	char *base = base_of(process->path), *name;

	if (p->collapsed)
		return cleaned(base);
	name = text_format("%s  %s%spid %u, %u threads", base, process->program,
			   *process->program ? ", " : "", process->pid, threads);
	free(base);
	return cleaned(name);
}

/* Of several processes a thread that is not below a heading has the directory before its name. */
static char *thread_name(const struct trace *t, const struct lane_plan *p, unsigned thread)
{
	char *base, *name;

	if (t->nprocesses < 2 || p->indent)
		return text_clean(t->threads[thread].name);
	base = base_of(t->processes[p->process].path);
	name = text_format("%s: %s", base, t->threads[thread].name);
	free(base);
	return cleaned(name);
}

/* The lane's name: of several threads that of the first and that of the last. */
static char *lane_name(const struct gather *g, const struct lane_plan *p)
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

/* How many threads are below the heading, or in it. */
static unsigned threads_below(const struct gather *g, size_t heading)
{
	unsigned n = g->plan.at[heading].n;

	for (size_t i = heading + 1; i < g->plan.n && g->plan.at[i].indent; i++)
		n += g->plan.at[i].n;
	return n;
}

static void fill_lane(struct gather *g, unsigned i)
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

void gather_lanes(struct gather *g)
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

void gather_gaps(struct gather *g)
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
