/* Events as marks, and where the columns begin in each log. */
#include "trace/parallel.h"
#include "viewers/gorge/gather_grid.h"
#include <stdlib.h>
#include <string.h>

/* A kind of the census that is shown. */
struct shown {
	unsigned kind;
	uint32_t key;
	uint8_t shift;
};

/* What a column of a thread has of a kind: a mark in the making. */
struct some {
	uint32_t shown, column, unit;
	uint64_t n;
};

struct somes {
	VECTOR(struct some) list;
};

struct walking {
	struct grid *grid;
	VECTOR(struct shown) shown;
	struct somes *threads;
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

/* before: the counts at the column's begin, which become those at its end. */
static void take_column(struct walking *w, struct somes *to, uint32_t column, uint32_t unit,
			const uint64_t *counts, uint64_t *before)
{
	for (uint32_t i = 0; i < w->shown.n; i++) {
		unsigned kind = w->shown.at[i].kind;
		uint64_t n = counts[kind] - before[kind];
		if (n)
			*vector_add(&to->list) = (struct some){i, column, unit, n};
		before[kind] = counts[kind];
	}
}

/* A thread that is walked through. */
struct stroll {
	struct walking *all;
	struct somes *to;
	struct census_walk walk;
	uint64_t *counts, *before;
	uint32_t *units;
};

/* It stands at the begin of column i. */
static void stand(void *context, size_t i)
{
	struct stroll *s = context;

	s->units[i] = s->walk.at.unit;
	if (i == 0)
		memcpy(s->before, s->counts, census_kinds(s->walk.census) * sizeof *s->counts);
	else if (s->units[i] != s->units[i - 1])
		take_column(s->all, s->to, (uint32_t)i - 1, s->units[i - 1], s->counts, s->before);
}

static void walk_thread(struct walking *w, unsigned thread)
{
	struct grid *grid = w->grid;
	unsigned nkinds = census_kinds(grid->census);
	struct stroll s = {.all = w,
			   .to = &w->threads[thread],
			   .counts = zeroed(nkinds, sizeof *s.counts),
			   .before = zeroed(nkinds, sizeof *s.before),
			   .units = zeroed(grid->columns + 1, sizeof *s.units)};

	walk_begin(&s.walk, grid->census, thread, s.counts);
	walk_times(&s.walk, grid->bounds, grid->columns + 1, stand, &s);
	grid->units[thread] = s.units;
	grid->edges[thread] = (struct edges){s.units[0], s.units[grid->columns]};
	free(s.counts);
	free(s.before);
}

static void walk_hidden(struct grid *grid, unsigned thread)
{
	grid->edges[thread] = (struct edges){
	    .first = census_seek(grid->census, thread, grid->bounds[0]),
	    .behind = census_seek(grid->census, thread, grid->bounds[grid->columns]),
	};
}

static void walk_any(void *context, size_t thread, unsigned worker)
{
	struct walking *w = context;

	(void)worker;
	if (gather_grid_shows(w->grid, (unsigned)thread))
		walk_thread(w, (unsigned)thread);
	else
		walk_hidden(w->grid, (unsigned)thread);
}

static void put_thread(const struct walking *w, unsigned thread, struct marks **marks)
{
	const uint64_t *totals = census_totals(w->grid->census, thread);
	uint32_t lane = w->grid->g->lane_of[thread];
	struct scene *s = w->grid->g->scene;

	for (size_t i = 0; i < w->shown.n; i++)
		s->lanes[lane].marked |= totals[w->shown.at[i].kind] > 0;
	for (size_t i = 0; i < w->threads[thread].list.n; i++) {
		const struct some *some = &w->threads[thread].list.at[i];
		const struct shown *shown = &w->shown.at[some->shown];
		marks_count(marks[shown->key], lane, (int32_t)some->column, shown->shift,
			    id_make(thread, some->unit), some->n);
		s->events[shown->key].count += some->n;
		s->lanes[lane].events += some->n;
	}
}

void gather_grid_events(struct grid *grid)
{
	struct gather *g = grid->g;
	struct walking w = {.grid = grid, .threads = zeroed(g->trace->nthreads, sizeof *w.threads)};
	struct marks **marks = zeroed(g->scene->nevents, sizeof *marks);

	show_types(&w);
	parallel_for(g->trace->nthreads, walk_any, &w);
	for (unsigned key = 0; key < g->scene->nevents; key++)
		marks[key] = marks_begin(g->scene, key);
	for (unsigned t = 0; t < g->trace->nthreads; t++) {
		if (g->lane_of[t] != NO_KEY)
			put_thread(&w, t, marks);
		free(w.threads[t].list.at);
	}
	for (unsigned key = 0; key < g->scene->nevents; key++)
		marks_end(marks[key], &g->scene->marks);
	free(marks);
	free(w.threads);
	free(w.shown.at);
}
