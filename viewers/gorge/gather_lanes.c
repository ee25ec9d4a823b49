#include "viewers/gorge/gather.h"
#include "viewers/gorge/text.h"
#include <libgen.h>
#include <stdlib.h>

/*
 * More threads than this share lanes; and when the page's height is given, a lane has so many
 * pixels of it.
 */
enum { MOST_LANES = 1000, LEAST_PIXELS = 3 };

static unsigned chosen_threads(const struct gather *g)
{
	unsigned n = 0;

	for (unsigned i = 0; i < g->trace->nthreads; i++)
		n += g->threads[i];
	return n;
}

/* How many threads each lane stands for. */
static unsigned fold(const struct gather *g)
{
	unsigned most = MOST_LANES, n = chosen_threads(g);

	if (g->view->height > 0 && g->view->height / LEAST_PIXELS < most)
		most = (unsigned)(g->view->height / LEAST_PIXELS);
	most = most ? most : 1;
	return n <= most ? 1 : (n + most - 1) / most;
}

unsigned gather_lane_count(const struct gather *g)
{
	unsigned each = fold(g);

	return (chosen_threads(g) + each - 1) / each;
}

/* The last part of a path, to be freed. */
static char *base_of(const char *path)
{
	char *copy = text_of("%s", path), *base = text_of("%s", basename(copy));

	free(copy);
	return base;
}

/* The name of thread i; of several processes with the directory before it. To be freed. */
static char *thread_name(const struct trace *t, unsigned i)
{
	const struct trace_process *p = t->processes;
	char *base, *name, *clean;

	if (t->nprocesses < 2)
		return text_clean(t->threads[i].name);
	while (p + 1 < t->processes + t->nprocesses && i >= p->first_thread + p->nthreads)
		p++;
	base = base_of(p->path);
	name = text_of("%s: %s", base, t->threads[i].name);
	clean = text_clean(name);
	free(base);
	free(name);
	return clean;
}

/* Thread i joins a lane. */
static void join(struct lane *lane, const struct trace *trace, unsigned i)
{
	const struct trace_thread *t = &trace->threads[i];

	if (!lane->name) {
		lane->name = thread_name(trace, i);
		lane->first_thread = t->number;
	}
	lane->last_thread = t->number;
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

static void name_folded(struct lane *lane, const char *last, unsigned threads)
{
	char *first = lane->name;

	if (threads < 2)
		return;
	lane->name = text_of("%s to %s", first, last);
	free(first);
}

void gather_lanes(struct gather *g)
{
	unsigned each = fold(g), n = 0;
	const char *last = NULL;

	for (unsigned i = 0; i < g->trace->nthreads; i++) {
		g->lane_of[i] = NO_KEY;
		if (!g->threads[i])
			continue;
		if (n && n % each == 0)
			name_folded(&g->scene->lanes[n / each - 1], last, each);
		g->lane_of[i] = n++ / each;
		join(&g->scene->lanes[g->lane_of[i]], g->trace, i);
		last = g->trace->threads[i].name;
	}
	if (n)
		name_folded(&g->scene->lanes[(n - 1) / each], last, (n - 1) % each + 1);
}

uint32_t gather_lane(const struct gather *g, uint32_t thread)
{
	unsigned i = thread_index(g->trace, thread);

	return i < g->trace->nthreads ? g->lane_of[i] : NO_KEY;
}

/* Whether no lane stands for several threads. */
bool gather_unfolded(const struct gather *g)
{
	return fold(g) == 1;
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
			.type = gap->type ? text_of("%s", gap->type->name) : NULL,
		};
	}
}
