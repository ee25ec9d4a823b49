/*
 * Fills a scene from the trace index, in a time that depends on the pixels. Rows and tracks are
 * those of the whole trace, so that lanes keep their heights when the window moves.
 */
#include "base/array.h"
#include "base/search.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/query/selection.h"
#include <inttypes.h>
#include <stdlib.h>

static struct grid *grid_new(struct building *g)
{
	const struct scene *s = g->scene;
	struct grid *grid = array_zero(1, sizeof *grid);

	*grid = (struct grid){
	    .g = g,
	    .event_index = g->index->events,
	    .columns = s->columns,
	    .bounds = array_zero(s->columns + 1, sizeof *grid->bounds),
	    .units = array_zero(g->trace->nthreads, sizeof *grid->units),
	    .edges = array_zero(g->trace->nthreads, sizeof *grid->edges),
	};
	grid->apart = array_zero(g->trace->spec->nintervals, sizeof *grid->apart);
	grid->blocked = NO_KEY;
	for (unsigned i = 0, key = 0; i < g->trace->spec->nintervals; key += g->intervals[i++]) {
		if (!g->intervals[i])
			continue;
		grid->apart[i] = s->intervals[key].explains;
		if (grid->apart[i])
			*vector_add(&grid->explaining) = key;
		if (s->intervals[key].state == STATE_BLOCKED && grid->blocked == NO_KEY)
			grid->blocked = key;
	}
	grid->bounds[0] = s->window.from;
	for (unsigned c = 0; c < s->columns; c++)
		grid->bounds[c + 1] = scene_column_end(s, (int32_t)c);
	return grid;
}

static void grid_free(struct grid *grid)
{
	span_rows_free(grid->span_rows);
	reasons_free(grid->reasons);
	free(grid->explaining.at);
	free(grid->apart);
	for (unsigned t = 0; t < grid->g->trace->nthreads; t++)
		free(grid->units[t]);
	free(grid->units);
	free(grid->edges);
	free(grid->begins);
	free(grid->bounds);
	free(grid);
}

const struct instances *grid_instances(const struct grid *grid, uint32_t key)
{
	if (!grid->g->scene->intervals[key].explains)
		return grid->span_rows->keys[key];
	for (size_t i = 0; grid->reasons && i < grid->explaining.n; i++)
		if (grid->explaining.at[i] == key)
			return grid->reasons->waits[i];
	return NULL;
}

struct begun grid_begun(const struct grid *grid, const struct spans *s)
{
	size_t i = spans_find(s, grid->edges[s->from].first);

	return (struct begun){i, spans_find_after(s, i, grid->edges[s->from].behind)};
}

void grid_reaching(const struct grid *grid, const struct spans *s, size_t begun, spans_take take,
		   void *context)
{
	struct spans_moment begin = {grid->g->scene->window.from, grid->edges[s->to].first};

	spans_reaching(s, grid->event_index, begun, begin, take, context);
}

/* Searches by doubling steps, then by halves. */
unsigned grid_column(const struct grid *grid, unsigned thread, unsigned i, uint32_t unit)
{
	const uint32_t *units = grid->units[thread];
	unsigned step = 1, high;

	while (i + step < grid->columns && units[i + step] <= unit) {
		i += step;
		step *= 2;
	}
	high = i + step < grid->columns ? i + step : grid->columns;
	return lower_bound(k, i + 1, high, units[k] <= unit) - 1;
}

/* Adds the unmatched anchors of one thread. */
static void put_unmatched(struct grid *grid, const struct instances *n, unsigned thread,
			  uint32_t key, struct mark_builder *marks)
{
	const uint32_t *units = grid->units[thread];
	uint32_t lane = grid->g->lane_of[thread];
	size_t end = n->first_unmatched[thread + 1], i = n->first_unmatched[thread], next;
	unsigned column = 0;

	/* that nobody waited for it is usual, and no sign of a fault */
	if (!building_sees(grid->g, lane) || n->interval->kind == KIND_CAUSE) {
		i = units_seek(n->unmatched, i, end, grid->edges[thread].first);
		grid->g->scene->intervals[key].unmatched +=
		    units_seek(n->unmatched, i, end, grid->edges[thread].behind) - i;
		return;
	}
	for (i = units_seek(n->unmatched, i, end, units[0]); i < end; i = next) {
		if (n->unmatched[i] >= units[grid->columns])
			return;
		column = grid_column(grid, thread, column, n->unmatched[i]);
		next = units_seek(n->unmatched, i, end, units[column + 1]);
		marks_count(marks, lane, (int32_t)column, 0, event_id_make(thread, n->unmatched[i]),
			    next - i);
		grid->g->scene->intervals[key].unmatched += next - i;
	}
}

static void put_all_unmatched(struct grid *grid, const struct instances *n, uint32_t key)
{
	struct scene *s = grid->g->scene;
	struct mark_builder *marks = marks_begin(s, key);

	for (unsigned t = 0; t < n->nthreads; t++) {
		if (!grid_shows(grid, t) || n->first_unmatched[t] == n->first_unmatched[t + 1])
			continue;
		if (n->interval->kind != KIND_CAUSE)
			s->lanes[grid->g->lane_of[t]].marked = s->stubbed = true;
		put_unmatched(grid, n, t, key, marks);
	}
	marks_end(marks, &s->stubs);
}

/* Draws an interval without a connection as lines, if it has instances only between threads. */
static void settle_form(struct building *g, const struct span_rows *span_rows, uint32_t key,
			const struct instances *n)
{
	if (n->across.n && !span_rows_have(span_rows, key))
		g->scene->intervals[key].form = FORM_LINE;
}

static void warn_of_faults(struct building *g, const struct instances *n)
{
	if (n->faults)
		diag_warning(g->diag, "fault", n->interval->where,
			     "the condition of %s overflowed or divided by zero %" PRIu64
			     " times; it counts as false there",
			     n->interval->name, n->faults);
}

/* Returns the interval of a key. */
static const struct interval *interval_of(const struct building *g, uint32_t key)
{
	unsigned i = 0;

	for (uint32_t before = 0; before < key || !g->intervals[i]; i++)
		before += g->intervals[i];
	return g->trace->spec->intervals[i];
}

/* Finds what explains the blocked states. */
static void find_reasons(struct grid *grid)
{
	unsigned n = (unsigned)grid->explaining.n;
	const struct interval **waits = array_zero(n, sizeof(struct interval *));

	for (unsigned i = 0; i < n; i++)
		waits[i] = interval_of(grid->g, grid->explaining.at[i]);
	if (n)
		grid->reasons = trace_index_reasons(grid->g->index,
						    interval_of(grid->g, grid->blocked), waits, n);
	free(waits);
}

static void put_intervals(struct grid *grid)
{
	struct building *g = grid->g;
	const struct spec *spec = g->trace->spec;
	struct links *links = links_begin(g->scene, MOST_LINES + g->scene->nintervals);
	const struct span_rows *span_rows;

	find_reasons(grid); /* asks the matcher, which nobody may do who holds the rows */
	span_rows = grid->span_rows = trace_index_rows(g->index, g->intervals, grid->apart);
	grid_bars(grid, span_rows);
	for (unsigned i = 0, key = 0; i < spec->nintervals; i++) {
		const struct instances *n = g->intervals[i] ? grid_instances(grid, key) : NULL;
		if (n) {
			put_all_unmatched(grid, n, key);
			grid_lines(grid, n, key, false, links);
			if (!g->scene->intervals[key].explains)
				settle_form(g, span_rows, key, n);
			warn_of_faults(g, n);
			crossing_warn(&n->crossing, n->interval, g->diag);
		}
		if (g->intervals[i]) {
			g->scene->intervals[key].waiting =
			    !n || span_rows->apart[key] || (grid->apart[i] && !grid->reasons);
			key++;
		}
	}
	links_end(links);
}

/*
 * A picture of a trace with so many events shows what is found after PATIENCE ms; of others it
 * waits for everything.
 */
enum { LARGE_TRACE = 3000000, PATIENCE = 20 };

static void begin_pick(struct building *g, long patience)
{
	g->scene->picking = !selection_count(g->index, &g->view->pick, patience);
	if (!g->scene->picking)
		g->grid->begins = array_zero((size_t)g->scene->nlanes * g->scene->columns,
					     sizeof *g->grid->begins);
}

/* Waits for the chosen intervals; those that explain others have no rows, and are not stacked. */
static void show_intervals(struct building *g, long patience)
{
	unsigned n = g->trace->spec->nintervals;
	bool *stacked = array_zero(n, sizeof *stacked);

	for (unsigned i = 0; i < n; i++)
		stacked[i] = g->intervals[i] && !g->grid->apart[i];
	matcher_wait(g->index->matcher, g->grid->apart, patience);
	matcher_show(g->index->matcher, stacked, patience);
	free(stacked);
}

void building_fill(struct building *g)
{
	bool waits = g->view->complete || g->trace->events < LARGE_TRACE;
	long patience = waits ? -1 : PATIENCE;

	g->grid = grid_new(g);
	building_objects_await(g, patience);
	show_intervals(g, patience);
	if (g->scene->pick.key != NO_KEY)
		begin_pick(g, patience);
	grid_events(g->grid);
	put_intervals(g->grid);
	building_objects(g);
	building_stacks(g, patience);
}

void building_release(struct building *g)
{
	grid_free(g->grid);
}
