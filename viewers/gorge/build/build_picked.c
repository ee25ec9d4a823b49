/*
 * What is picked of one interval's instances: bars as they lie in the scene, and lines of their
 * own. Where a pixel has many bars, it is shown when a picked one begins in it.
 */
#include "base/parallel.h"
#include "viewers/gorge/build/grid.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/query/subset.h"
#include "viewers/gorge/scene/links.h"
#include "viewers/gorge/scene/marks.h"
#include <math.h>
#include <stdlib.h>

struct picking {
	struct gather *g;
	const struct interval *interval;
	uint32_t key;
	const struct instances *instances;      /* or, of a model without a pyramid, */
	const struct subset *subset;
	const struct matches *matches;
	struct scene *part;
	struct links *links;
};

/* A mark that is as broad as several columns has something in each of them. */
static void spread_mark(const struct mark *m, uint64_t *counts)
{
	for (int32_t x = m->x0; x < m->x1; x++)
		counts[x] = 1;
	counts[m->x0] = m->count - (uint64_t)(m->x1 - m->x0 - 1);
}

/* How many begin within each lane's columns, lane by lane; to be freed. */
static uint64_t *begins_of_matches(const struct picking *p)
{
	uint64_t *counts = array_zero((size_t)p->part->nlanes * p->part->columns, sizeof *counts);
	struct marks *marks = marks_begin(p->part, p->key);
	struct mark_list list = {0};

	for (unsigned t = 0; t < p->g->trace->nthreads; t++)
		if (p->g->lane_of[t] != NO_KEY)
			subset_put(p->subset, t, p->part, marks, p->g->lane_of[t]);
	marks_end(marks, &list);
	for (size_t i = 0; i < list.n; i++)
		spread_mark(&list.at[i], &counts[(size_t)list.at[i].lane * p->part->columns]);
	free(list.at);
	return counts;
}

/* What is put of a lane. */
struct lane_picks {
	VECTOR(struct bar) bars;
};

struct putting {
	const struct picking *picking;
	const uint64_t *begins;         /* lane by lane, by column */
	struct lane_picks *lanes;
};

/* The pieces of a bar that stands for many; counts: of its lane, by column. */
static void put_run(struct lane_picks *to, const struct bar *run, const uint64_t *counts)
{
	unsigned column = (unsigned)run->x0, end = (unsigned)ceil(run->x1);

	while (column < end) {
		struct bar piece = *run;
		if (!counts[column]) {
			column++;
			continue;
		}
		piece.x0 = column > run->x0 ? column : run->x0;
		for (piece.count = 0; column < end && counts[column]; column++)
			piece.count += counts[column];
		piece.x1 = column < run->x1 ? column : run->x1;
		*vector_add(&to->bars) = piece;
	}
}

static void put_lane(void *context, size_t lane, unsigned worker)
{
	const struct putting *all = context;
	const struct scene *s = all->picking->g->scene;
	size_t end = scene_bars(s, (uint32_t)lane + 1);

	(void)worker;
	for (size_t i = scene_bars(s, (uint32_t)lane); i < end; i++) {
		const struct bar *b = &s->bars.at[i];
		if (b->key != all->picking->key)
			continue;
		if (b->count > 1)
			put_run(&all->lanes[lane], b, &all->begins[lane * s->columns]);
		else if (b->picked)
			*vector_add(&all->lanes[lane].bars) = *b;
	}
}

static void put_bars(struct picking *p)
{
	unsigned nlanes = p->part->nlanes;
	uint64_t *begins = p->instances ? NULL : begins_of_matches(p);
	struct putting all =
	    {p, begins ? begins : p->g->grid->begins, array_zero(nlanes, sizeof *all.lanes)};

	parallel_for(nlanes, put_lane, &all);
	for (unsigned lane = 0; lane < nlanes; lane++) {
		if (all.lanes[lane].bars.n)
			vector_append(&p->part->bars, all.lanes[lane].bars.at, all.lanes[lane].bars.n);
		free(all.lanes[lane].bars.at);
	}
	free(all.lanes);
	free(begins);
}

/* ---- lines: of matches ---- */

static void put_link(void *context, size_t anchor, uint64_t count)
{
	struct picking *p = context;
	const struct window *w = &p->part->window;
	bool backwards = p->interval->direction == BACKWARDS;
	struct instance i;
	uint32_t from, to;

	matches_get(p->matches, anchor, &i);
	from = gather_lane(p->g, (backwards ? &i.partner : &i.anchor)->thread);
	to = gather_lane(p->g, (backwards ? &i.anchor : &i.partner)->thread);
	if (i.end < w->from || i.start > w->to || from == NO_KEY || to == NO_KEY ||
	    i.anchor.thread == i.partner.thread)
		return;
	links_add(p->links, p->key, gather_end(p->g, backwards ? &i.partner : &i.anchor, from),
		  gather_end(p->g, backwards ? &i.anchor : &i.partner, to),
		  lookup_told(p->g->model, p->matches, anchor), count);
}

/* An instance in the window has its anchor at most its duration away. */
static void put_matches(struct picking *p)
{
	int64_t most = p->g->view->pick.most, limit = INT64_C(1) << 61;
	struct window w = p->part->window;

	most = most < 0 ? 0 : most > limit ? limit : most;
	w.from -= most;
	w.to += most;
	for (unsigned t = 0; t < p->g->trace->nthreads; t++)
		subset_visit(p->subset, t, &w, put_link, p);
}

static void put_links(struct picking *p)
{
	if (!p->g->scene->intervals[p->key].across)
		return;
	p->links = links_begin(p->part, MOST_LINES + p->part->nintervals);
	if (p->instances)
		gather_grid_lines(p->g->grid, p->instances, p->key, true, p->links);
	else
		put_matches(p);
	links_end(p->links);
}

/* The interval of that name, if it is chosen, and its key. */
static const struct interval *find_interval(const struct gather *g, const char *name, uint32_t *key)
{
	const struct interval *interval = spec_interval(g->trace->spec, name);

	*key = 0;
	if (!interval || !g->intervals[interval->index])
		return NULL;
	for (unsigned i = 0; i < interval->index; i++)
		*key += g->intervals[i];
	return interval;
}

void gather_pick_begin(struct gather *g)
{
	const struct pick *pick = &g->view->pick;
	uint32_t key;

	if (!pick->interval || !find_interval(g, pick->interval, &key))
		return;
	g->scene->pick.key = key;
	g->scene->pick.least = pick->least;
	g->scene->pick.most = pick->most;
}

void gather_pick(struct gather *g)
{
	const struct pick *pick = &g->view->pick;
	struct picking p = {.g = g, .key = g->scene->pick.key};

	if (p.key == NO_KEY || g->scene->picking)
		return;
	p.interval = find_interval(g, pick->interval, &p.key);
	p.part = scene_part(g->scene);
	g->scene->picked = p.part;
	if (g->grid) {
		p.instances = g->grid->tiers->keys[p.key];
		if (!p.instances)
			return;
	} else {
		p.subset = model_pick(g->model, p.interval, pick->least, pick->most);
		p.matches = model_matches(g->model, p.interval);
	}
	put_bars(&p);
	put_links(&p);
}
