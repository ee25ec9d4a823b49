/*
 * Instances between threads, as lines. Where they are too many, those that start in neighbouring
 * columns and join the same threads are given as one of them, by lot, and their number; links.h
 * bundles what is still too much. Counts are exact.
 */
#include "viewers/gorge/gather_grid.h"

/* So many lines are given one by one. */
enum { MOST_SINGLES = 3 * MOST_LINES };

struct lining {
	struct grid *grid;
	const struct instances *instances;
	uint32_t key;
	struct links *links;
	unsigned group;			    /* columns that are taken as one */
	const struct event_type *from, *to; /* of the earlier and the later event */
};

/* The instances of a sheaf that start in the window. */
struct begun {
	size_t i, end;
};

static struct begun begun_in(const struct grid *grid, const struct sheaf *s)
{
	const uint32_t *units = grid->units[s->from];
	const struct window *w = &grid->g->scene->window;
	uint32_t first = units ? units[0] : census_seek(grid->census, s->from, w->from),
		 behind =
		     units ? units[grid->columns] : census_seek(grid->census, s->from, w->to + 1);
	size_t i = sheaf_seek(s, 0, first);

	return (struct begun){i, sheaf_seek(s, i, behind)};
}

static struct link_end end_of(const struct lining *l, const struct event_type *type, event_id id,
			      int64_t time)
{
	struct gather *g = l->grid->g;
	struct event e;

	return (struct link_end){
	    .lane = g->lane_of[id_thread(id)],
	    .event = g->event_key[type->index],
	    .shift = type->offset_attribute >= 0 && census_event(l->grid->census, id, &e)
			 ? gather_shift(g, &e)
			 : 0,
	    .x = scene_x(g->scene, time),
	};
}

/* Instance i stands for so many. */
static void put_line(const struct lining *l, const struct sheaf *s, size_t i, int64_t start,
		     uint64_t count)
{
	event_id from = id_make(s->from, s->start[i]), to = id_make(s->to, s->end[i]);

	links_add(l->links, l->key, end_of(l, l->from, from, start),
		  end_of(l, l->to, to, start + sheaf_length(s, i)),
		  gather_grid_anchor(l->instances, s, i), count);
}

/* One that began before the window. */
static void take_reaching(void *context, const struct sheaf *s, size_t i, int64_t start)
{
	struct lining *l = context;
	struct gather *g = l->grid->g;
	bool from = g->lane_of[s->from] != NO_KEY, to = g->lane_of[s->to] != NO_KEY;

	key_count(&g->scene->intervals[l->key], sheaf_length(s, i));
	if (from && to)
		put_line(l, s, i, start, 1);
	else
		g->hidden++;
}

static size_t lot(size_t i, size_t n)
{
	return i + (size_t)((uint64_t)i * 0x9e3779b97f4a7c15u >> 33) % n;
}

static void put_each(const struct lining *l, const struct sheaf *s, struct begun b)
{
	struct census_walk walk;

	walk_begin(&walk, l->grid->census, s->from, NULL);
	for (size_t i = b.i; i < b.end; i++) {
		if (walk.at.unit > s->start[i])
			walk_begin(&walk, l->grid->census, s->from, NULL);
		walk_to_unit(&walk, s->start[i]);
		put_line(l, s, i, walk.at.time, 1);
	}
}

/* Of a group one line is drawn, from the middle of its column: nobody sees the difference. */
static void put_groups(const struct lining *l, const struct sheaf *s, struct begun b)
{
	const struct grid *grid = l->grid;
	unsigned column = 0, behind;
	size_t end, chosen;

	for (size_t i = b.i; i < b.end; i = end) {
		column = gather_grid_column(grid, s->from, column, s->start[i]);
		behind = (column / l->group + 1) * l->group;
		behind = behind < grid->columns ? behind : grid->columns;
		end = units_seek(s->start, i, b.end, grid->units[s->from][behind]);
		chosen = lot(i, end - i);
		column = gather_grid_column(grid, s->from, column, s->start[chosen]);
		put_line(l, s, chosen, grid->bounds[column] / 2 + grid->bounds[column + 1] / 2,
			 end - i);
	}
}

static void put_sheaf(struct lining *l, const struct sheaf *s)
{
	struct gather *g = l->grid->g;
	bool from = g->lane_of[s->from] != NO_KEY, to = g->lane_of[s->to] != NO_KEY;
	struct begun b;

	if (!from && !to)
		return;
	b = begun_in(l->grid, s);
	sheaf_reaching(s, l->grid->census, b.i, g->scene->window.from, take_reaching, l);
	sheaf_count(s, b.i, b.end, &g->scene->intervals[l->key]);
	if (!from || !to)
		g->hidden += b.end - b.i;
	else if (l->group)
		put_groups(l, s, b);
	else
		put_each(l, s, b);
}

/* So many columns as one that there are few enough lines; 0: no line has to stand for others. */
static unsigned group_for(const struct lining *l)
{
	const struct grid *grid = l->grid;
	size_t total = 0, sheaves = 0;
	unsigned group = 1;

	for (size_t i = 0; i < l->instances->across.n; i++) {
		const struct sheaf *s = &l->instances->across.at[i];
		struct begun b;
		if (!grid->units[s->from] || !grid->units[s->to])
			continue;
		b = begun_in(grid, s);
		total += b.end - b.i;
		sheaves += b.end > b.i;
	}
	if (total <= MOST_SINGLES)
		return 0;
	while (group < grid->columns && sheaves * (grid->columns / group) > MOST_SINGLES)
		group *= 2;
	return group;
}

void gather_grid_lines(struct grid *grid, const struct instances *n, uint32_t key,
		       struct links *links)
{
	const struct interval *interval = n->interval;
	bool backwards = interval->direction == BACKWARDS;
	struct lining l = {
	    .grid = grid,
	    .instances = n,
	    .key = key,
	    .links = links,
	    .from = end_event(backwards ? &interval->partner : &interval->anchor),
	    .to = end_event(backwards ? &interval->anchor : &interval->partner),
	};

	l.group = group_for(&l);
	for (size_t i = 0; i < n->across.n; i++)
		put_sheaf(&l, &n->across.at[i]);
}
