/*
 * Builds the selected instances of an interval: bars as they are in the scene, and lines of their
 * own. A pixel with many bars is shown if a selected one begins in it.
 */
#include "base/parallel.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/scene/links.h"
#include <math.h>
#include <stdlib.h>

/* The selected bars of a lane. */
struct lane_picks {
	VECTOR(struct bar) bars;
};

struct picked_bars {
	const struct building *g;
	struct lane_picks *lanes;
};

/* Adds the pieces of a bar that stands for many. counts: of its lane, by column. */
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

/* Whether a bar that stands for one instance is picked: of a wait that explains it, the wait is. */
static bool picked_is(const struct building *g, const struct bar *b)
{
	const struct scene *s = g->scene;
	struct found_instance wait;
	int64_t length;

	if (!s->intervals[b->key].explains)
		return b->picked;
	if (!instances_find(grid_instances(g->grid, b->key), b->anchor, &wait))
		return false;
	length = wait.end - wait.start;
	return length >= s->pick.least && length <= s->pick.most;
}

static void picked_put_lane(void *context, size_t lane, unsigned worker)
{
	const struct picked_bars *all = context;
	const struct scene *s = all->g->scene;
	size_t end = scene_bars(s, (uint32_t)lane + 1);

	(void)worker;
	for (size_t i = scene_bars(s, (uint32_t)lane); i < end; i++) {
		const struct bar *b = &s->bars.at[i];
		if (b->key != s->pick.key)
			continue;
		if (b->count > 1)
			put_run(&all->lanes[lane], b, &all->g->grid->begins[lane * s->columns]);
		else if (picked_is(all->g, b))
			*vector_add(&all->lanes[lane].bars) = *b;
	}
}

static void put_bars(const struct building *g, struct scene *part)
{
	struct picked_bars all = {g, array_zero(part->nlanes, sizeof *all.lanes)};

	parallel_for(part->nlanes, picked_put_lane, &all);
	for (unsigned lane = 0; lane < part->nlanes; lane++) {
		if (all.lanes[lane].bars.n)
			vector_append(&part->bars, all.lanes[lane].bars.at, all.lanes[lane].bars.n);
		free(all.lanes[lane].bars.at);
	}
	free(all.lanes);
}

static void put_links(struct building *g, struct scene *part, const struct instances *n)
{
	struct links *links = links_begin(part, MOST_LINES + part->nintervals);

	grid_lines(g->grid, n, part->pick.key, true, links);
	links_end(links);
}

/* Returns the interval of that name, if it is chosen, and its key. */
static const struct interval *find_interval(const struct building *g, const char *name,
					    uint32_t *key)
{
	const struct interval *interval = spec_interval(g->trace->spec, name);

	*key = 0;
	if (!interval || !g->intervals[interval->index])
		return NULL;
	for (unsigned i = 0; i < interval->index; i++)
		*key += g->intervals[i];
	return interval;
}

void building_pick_begin(struct building *g)
{
	const struct duration_selection *pick = &g->view->pick;
	uint32_t key;

	if (!pick->interval || !find_interval(g, pick->interval, &key))
		return;
	g->scene->pick.key = key;
	g->scene->pick.least = pick->least;
	g->scene->pick.most = pick->most;
}

void building_pick(struct building *g)
{
	struct scene *s = g->scene;
	const struct instances *n;

	if (s->pick.key == NO_KEY || s->picking)
		return;
	s->picked = scene_part(s);
	n = grid_instances(g->grid, s->pick.key);
	if (!n)
		return;
	put_bars(g, s->picked);
	if (s->intervals[s->pick.key].across)
		put_links(g, s->picked, n);
}
