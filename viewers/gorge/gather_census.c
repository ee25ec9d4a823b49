/* Events as marks, and where the columns begin in each log. */
#include "viewers/gorge/gather_grid.h"
#include <stdlib.h>
#include <string.h>

/* A kind of the census that is shown. */
struct shown {
	unsigned kind;
	uint32_t key;
	uint8_t shift;
};

struct walking {
	struct grid *grid;
	VECTOR(struct shown) shown;
	struct marks **marks;           /* by key */
	uint64_t *counts, *before;      /* of each kind, at the column's end and at its begin */
};

static void show_types(struct walking *w)
{
	struct gather *g = w->grid->g;
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++) {
		unsigned n, kind = census_kind(w->grid->census, spec->events[i], &n);
		if (!g->events[i])
			continue;
		g->ranges[g->event_key[i]] = *census_range(w->grid->census, spec->events[i]);
		for (unsigned k = 0; k < n; k++)
			*vector_add(&w->shown) =
				(struct shown){kind + k, g->event_key[i], (uint8_t)k};
	}
}

static void put_column(struct walking *w, unsigned thread, uint32_t lane, int32_t column, uint32_t unit)
{
	struct scene *s = w->grid->g->scene;

	for (size_t i = 0; i < w->shown.n; i++) {
		const struct shown *shown = &w->shown.at[i];
		uint64_t n = w->counts[shown->kind] - w->before[shown->kind];
		if (n == 0)
			continue;
		marks_count(w->marks[shown->key], lane, column, shown->shift, id_make(thread, unit), n);
		s->events[shown->key].count += n;
		s->lanes[lane].events += n;
	}
}

static void walk_thread(struct walking *w, unsigned thread)
{
	struct grid *grid = w->grid;
	uint32_t *units = zeroed(grid->columns + 1, sizeof *units);
	uint32_t lane = grid->g->lane_of[thread];
	size_t size = census_kinds(grid->census) * sizeof *w->counts;
	struct census_walk walk;

	walk_begin(&walk, grid->census, thread, w->counts);
	walk_to_time(&walk, grid->bounds[0]);
	units[0] = walk.at.unit;
	for (unsigned c = 0; c < grid->columns; c++) {
		memcpy(w->before, w->counts, size);
		walk_to_time(&walk, grid->bounds[c + 1]);
		units[c + 1] = walk.at.unit;
		if (units[c + 1] != units[c])
			put_column(w, thread, lane, (int32_t)c, units[c]);
	}
	grid->units[thread] = units;
}

static void mark_lane(const struct walking *w, unsigned thread)
{
	const uint64_t *totals = census_totals(w->grid->census, thread);

	for (size_t i = 0; i < w->shown.n; i++)
		w->grid->g->scene->lanes[w->grid->g->lane_of[thread]].marked |=
			totals[w->shown.at[i].kind] > 0;
}

void gather_grid_events(struct grid *grid)
{
	struct gather *g = grid->g;
	unsigned nkinds = census_kinds(grid->census);
	struct walking w = {
		.grid = grid, .marks = zeroed(g->scene->nevents, sizeof *w.marks),
		.counts = zeroed(nkinds, sizeof *w.counts), .before = zeroed(nkinds, sizeof *w.before),
	};

	show_types(&w);
	for (unsigned key = 0; key < g->scene->nevents; key++)
		w.marks[key] = marks_begin(g->scene, key);
	for (unsigned t = 0; t < g->trace->nthreads; t++)
		if (g->lane_of[t] != NO_KEY) {
			walk_thread(&w, t);
			mark_lane(&w, t);
		}
	for (unsigned key = 0; key < g->scene->nevents; key++)
		marks_end(w.marks[key], &g->scene->marks);
	free(w.marks);
	free(w.counts);
	free(w.before);
	free(w.shown.at);
}
