/*
 * Draws instances between threads as lines. Where these are too many, one of those that start in
 * neighbouring columns and join the same threads, chosen by lot, stands for all of them; links.h
 * bundles what is still too much. Counts are exact.
 */
#include "base/parallel.h"
#include "viewers/gorge/build/building.h"
#include <stdlib.h>

/* Up to MOST_SINGLES lines are drawn one by one; the work is divided into BUNCHES. */
enum { MOST_SINGLES = 3 * MOST_LINES, BUNCHES = 64 };

struct line_source {
	struct grid *grid;
	const struct instances *instances;
	bool picked;                        /* only what is picked */
	bool hides;                         /* some threads are not shown */
	unsigned group;                     /* columns that are taken as one; 0: none are */
	const struct event_type *from, *to; /* of the earlier and the later event */
	struct begun *begun;                /* by spans */
};

/* A line that stands for count instances. */
struct built_line {
	struct link_end start, end;
	event_id anchor;
	uint64_t count;
};

/* The lines of some of the spans; all bunches are filled at once. */
struct bunch {
	const struct line_source *lining;
	size_t first, end;   /* its spans */
	struct spans *spans; /* the one that is being looked at */
	VECTOR(struct built_line) lines;
	struct span_sums sums;
	uint64_t hidden;
};

/* Returns the place of an event that an attribute shifts. */
static uint8_t links_shift_of(const struct building *g, const struct event *e)
{
	uint32_t key = g->event_key[e->type->index];

	if (key == NO_KEY || !g->scene->events[key].shifted)
		return 0;
	return shift_range_place(&g->ranges[key], e);
}

static struct link_end end_of(const struct line_source *l, const struct event_type *type,
			      event_id id, int64_t time)
{
	struct building *g = l->grid->g;
	struct event e;

	return (struct link_end){
	    .lane = g->lane_of[event_id_thread(id)],
	    .event = g->event_key[type->index],
	    .shift = type->offset_attribute >= 0 && event_index_event(l->grid->event_index, id, &e)
			 ? links_shift_of(g, &e)
			 : 0,
	    .x = scene_x(g->scene, time),
	};
}

static void lines_put(struct bunch *b, size_t i, int64_t start, uint64_t count)
{
	const struct line_source *l = b->lining;
	const struct spans *s = b->spans;
	event_id from = spans_earlier(s, i), to = spans_later(s, i);

	*vector_add(&b->lines) = (struct built_line){
	    .start = end_of(l, l->from, from, start),
	    .end = end_of(l, l->to, to, start + spans_length(s, i)),
	    .anchor = instances_anchor(l->instances, s, i),
	    .count = count,
	};
}

static bool is_shown(const struct bunch *b)
{
	return grid_shows(b->lining->grid, b->spans->from) &&
	       grid_shows(b->lining->grid, b->spans->to);
}

static bool lines_picked(const struct bunch *b, const struct spans *s, size_t i)
{
	const struct scene *scene = b->lining->grid->g->scene;
	int64_t length = spans_length(s, i);

	return length >= scene->pick.least && length <= scene->pick.most;
}

static bool lines_count(struct bunch *b, size_t i)
{
	const struct grid *grid = b->lining->grid;
	const struct spans *s = b->spans;
	bool from = grid_shows(grid, s->from), to = grid_shows(grid, spans_to(s, i));

	if (b->lining->picked)
		return from && to && lines_picked(b, s, i);
	if (from || to)
		span_sums_add(&b->sums, spans_length(s, i));
	b->hidden += from != to;
	return from && to;
}

static void lines_reaching(void *context, const struct spans *s, size_t i, int64_t start)
{
	(void)s;
	if (lines_count(context, i))
		lines_put(context, i, start, 1);
}

static size_t lines_lot(const struct spans *s, size_t i, size_t n)
{
	uint64_t hash = ((uint64_t)s->from << 32 | s->to) * 0xbf58476d1ce4e5b9u + i + 1;

	hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
	return i + (size_t)(hash >> 33) % n;
}

static int64_t lines_start(const struct bunch *b, struct event_walk *walk, size_t i)
{
	uint32_t unit = b->spans->start[i];

	if (walk->at.unit > unit)
		event_walk_begin(walk, b->lining->grid->event_index, b->spans->from, NULL);
	event_walk_to_unit(walk, unit);
	return walk->at.time;
}

static void put_each(struct bunch *b, struct begun begun)
{
	struct event_walk walk;

	event_walk_begin(&walk, b->lining->grid->event_index, b->spans->from, NULL);
	for (size_t i = begun.i; i < begun.end; i++)
		lines_put(b, i, lines_start(b, &walk, i), 1);
}

static size_t lines_group(const struct bunch *b, size_t i, size_t end, unsigned *column,
			  size_t before)
{
	const struct grid *grid = b->lining->grid;
	const struct spans *s = b->spans;
	unsigned size = b->lining->group, behind;

	*column = grid_column(grid, s->from, *column, s->start[i]);
	behind = (*column / size + 1) * size;
	behind = behind < grid->columns ? behind : grid->columns;
	return units_near(s->start, i, end, i + before, grid->units[s->from][behind]);
}

/* Instances that follow each other, of which one is drawn. */
struct line_group {
	size_t chosen, count;
};

/* So many groups are found ahead of drawing, while the memory of their instances is fetched. */
enum { AHEAD = 32 };

/* Finds the next groups and returns how many; begun->i becomes the end of the last one. */
static unsigned find_groups(const struct bunch *b, struct begun *begun, unsigned *column,
			    struct line_group *groups)
{
	const struct spans *s = b->spans;
	unsigned n = 0;
	size_t i = begun->i, end, before = 0; /* groups are alike */

	for (; n < AHEAD && i < begun->end; i = end) {
		end = lines_group(b, i, begun->end, column, before);
		before = end - i;
		groups[n] = (struct line_group){lines_lot(s, i, end - i), end - i};
		__builtin_prefetch(&s->start[groups[n].chosen]);
		__builtin_prefetch(&s->end[groups[n].chosen]);
		__builtin_prefetch(&s->length[groups[n++].chosen]);
	}
	begun->i = i;
	return n;
}

static int64_t lines_middle(const struct grid *grid, unsigned column)
{
	return grid->bounds[column] / 2 + grid->bounds[column + 1] / 2;
}

/* Draws one line for a group, from the middle of its column: nobody sees the difference. */
static void put_groups(struct bunch *b, struct begun begun)
{
	const struct grid *grid = b->lining->grid;
	const struct spans *s = b->spans;
	unsigned found = 0, column = 0, n;
	struct line_group groups[AHEAD];

	while ((n = find_groups(b, &begun, &found, groups)))
		for (unsigned k = 0; k < n; k++) {
			column = grid_column(grid, s->from, column, s->start[groups[k].chosen]);
			lines_put(b, groups[k].chosen, lines_middle(grid, column), groups[k].count);
		}
}

static size_t lines_each(const struct bunch *b, struct begun begun)
{
	return (begun.end - begun.i) * b->lining->instances->across.n / MOST_SINGLES + 1;
}

/* ---- of what is picked ---- */

static void put_picked_each(struct bunch *b, struct begun begun)
{
	const struct spans *s = b->spans;
	struct event_walk walk;

	event_walk_begin(&walk, b->lining->grid->event_index, s->from, NULL);
	for (size_t i = begun.i; i < begun.end; i++)
		if (lines_picked(b, s, i))
			lines_put(b, i, lines_start(b, &walk, i), 1);
}

/* Draws the first selected instance of a group, for all that are selected. */
static void put_picked_groups(struct bunch *b, struct begun begun)
{
	const struct grid *grid = b->lining->grid;
	const struct spans *s = b->spans;
	struct selection_walk tally = grid_selection(grid, s, begun.i);
	unsigned column = 0;
	size_t end, before = 0; /* groups are alike */

	for (size_t i = begun.i; i < begun.end; i = end) {
		uint64_t count;
		size_t first;
		end = lines_group(b, i, begun.end, &column, before);
		before = end - i;
		count = selection_walk_to(&tally, end);
		if (!count)
			continue;
		first = selection_walk_first(&tally, i, end);
		lines_put(b, first,
			  lines_middle(grid, grid_column(grid, s->from, column, s->start[first])),
			  count);
	}
}

static void lines_put_picked(struct bunch *b, struct begun begun)
{
	grid_reaching(b->lining->grid, b->spans, begun.i, lines_reaching, b);
	if (b->lining->group)
		put_picked_groups(b, begun);
	else
		put_picked_each(b, begun);
}

/* ---- from one thread to others, some of which are not shown: each instance is looked at ---- */

/* Draws one of the visible instances in [i, end), by lot, for all of them. */
static void put_some(struct bunch *b, struct event_walk *walk, size_t i, size_t end)
{
	const struct spans *s = b->spans;
	size_t chosen = lines_lot(s, i, end - i), one = end, count = 0;

	for (; i < end; i++) {
		if (!lines_count(b, i))
			continue;
		if (one == end || i <= chosen)
			one = i;
		count++;
	}
	if (count == 0)
		return;
	lines_put(b, one, lines_start(b, walk, one), count);
}

static void lines_fan(struct bunch *b, struct begun begun)
{
	const struct grid *grid = b->lining->grid;
	size_t each = lines_each(b, begun), end;
	struct event_walk walk;

	grid_reaching(grid, b->spans, begun.i, lines_reaching, b);
	event_walk_begin(&walk, grid->event_index, b->spans->from, NULL);
	for (size_t i = begun.i; i < begun.end; i = end) {
		end = begun.end - i < each ? begun.end : i + each;
		put_some(b, &walk, i, end);
	}
}

/* ---- all of it ---- */

static void put_spans(struct bunch *b, struct begun begun)
{
	const struct grid *grid = b->lining->grid;
	const struct spans *s = b->spans;

	if (s->tos && b->lining->hides) {
		lines_fan(b, begun);
		return;
	}
	if (b->lining->picked) {
		if (is_shown(b))
			lines_put_picked(b, begun);
		return;
	}
	if (!grid_shows(grid, s->from) && !grid_shows(grid, s->to))
		return;
	grid_reaching(grid, s, begun.i, lines_reaching, b);
	spans_add_sums(s, begun.i, begun.end, &b->sums);
	if (!is_shown(b))
		b->hidden += begun.end - begun.i;
	else if (b->lining->group)
		put_groups(b, begun);
	else
		put_each(b, begun);
}

static void gather_bunch(void *context, size_t i, unsigned worker)
{
	struct bunch *b = &((struct bunch *)context)[i];

	(void)worker;
	for (size_t k = b->first; k < b->end; k++) {
		b->spans = &b->lining->instances->across.at[k];
		put_spans(b, b->lining->begun[k]);
	}
}

static void find_begun(void *context, size_t i, unsigned worker)
{
	const struct bunch *b = &((struct bunch *)context)[i];
	const struct line_source *l = b->lining;

	(void)worker;
	for (size_t k = b->first; k < b->end; k++)
		l->begun[k] = grid_begun(l->grid, &l->instances->across.at[k]);
}

/* Returns how many columns to take as one for few enough lines; 0: each line stands for itself. */
static unsigned group_for(const struct line_source *l)
{
	const struct grid *grid = l->grid;
	size_t total = 0, all_spans = 0;
	unsigned group = 1;

	for (size_t i = 0; i < l->instances->across.n; i++) {
		const struct spans *s = &l->instances->across.at[i];
		if (!grid_shows(grid, s->from) || !grid_shows(grid, s->to))
			continue;
		total += l->begun[i].end - l->begun[i].i;
		all_spans += l->begun[i].end > l->begun[i].i;
	}
	if (total <= MOST_SINGLES)
		return 0;
	while (group < grid->columns && all_spans * (grid->columns / group) > MOST_LINES)
		group *= 2;
	return group;
}

/* Returns the spans in bunches of the same size; the caller frees them. */
static struct bunch *bunches_new(const struct line_source *l)
{
	struct bunch *bunches = array_zero(BUNCHES, sizeof *bunches);
	size_t n = l->instances->across.n;

	for (size_t i = 0; i < BUNCHES; i++)
		bunches[i] = (struct bunch){.lining = l,
					    .first = n * i / BUNCHES,
					    .end = n * (i + 1) / BUNCHES,
					    .sums = span_sums_none()};
	return bunches;
}

/* drawn: its lines are, and not only its statistics are taken. */
static void take_bunch(struct bunch *b, struct building *g, uint32_t key, struct links *links,
		       bool drawn)
{
	for (size_t i = 0; drawn && i < b->lines.n; i++) {
		const struct built_line *line = &b->lines.at[i];
		links_add(links, key, line->start, line->end, line->anchor, line->count);
	}
	key_add(&g->scene->intervals[key], &b->sums);
	g->hidden += b->hidden;
	free(b->lines.at);
}

void grid_lines(struct grid *grid, const struct instances *n, uint32_t key, bool picked,
		struct links *links)
{
	const struct interval *interval = n->interval;
	bool backwards = interval->direction == BACKWARDS;
	struct line_source l = {
	    .grid = grid,
	    .instances = n,
	    .picked = picked,
	    .hides = grid->hides,
	    .from = end_event(backwards ? &interval->partner : &interval->anchor),
	    .to = end_event(backwards ? &interval->anchor : &interval->partner),
	    .begun = array_zero(n->across.n, sizeof *l.begun),
	};
	struct bunch *bunches = bunches_new(&l);
	uint64_t all = 0;

	parallel_for(BUNCHES, find_begun, bunches);
	l.group = group_for(&l);
	if (l.group > grid->g->scene->bundle)
		grid->g->scene->bundle = l.group;
	parallel_for(BUNCHES, gather_bunch, bunches);
	for (size_t i = 0; i < BUNCHES; i++)
		all += bunches[i].sums.count;
	for (size_t i = 0; i < BUNCHES; i++)
		take_bunch(&bunches[i], grid->g, key, links,
			   !grid->g->scene->intervals[key].few || all < FEW_LINES);
	free(l.begun);
	free(bunches);
}
