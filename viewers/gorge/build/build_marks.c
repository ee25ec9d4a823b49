/* Makes marks: of events, while finding the columns of each log; and of violated assertions. */
#include "base/parallel.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/query/violations.h"
#include "viewers/gorge/scene/marks.h"
#include <stdlib.h>
#include <string.h>

/* ---- events ---- */

/* A visible kind of the event index: its cells begin at cells and have shifts for each column. */
struct shown_kind {
	unsigned kind;
	uint32_t key;
	size_t cells;
	unsigned shifts;
};

/* What a lane has of the keys. */
struct mark_share {
	struct mark_list list;
	size_t place; /* of its first mark among those of the scene */
};
struct lane_share {
	struct mark_share *marks;
	uint64_t *counts;
};

struct mark_context {
	struct grid *grid;
	bool processors; /* a lane shows them */
	VECTOR(struct shown_kind) shown;
	size_t ncells;
	struct lane_share *shares; /* by lane */
};

static void show_types(struct mark_context *w)
{
	struct building *g = w->grid->g;
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++) {
		unsigned n, kind = event_index_kind(w->grid->event_index, spec->events[i], &n);
		if (!g->events[i])
			continue;
		g->ranges[g->event_key[i]] =
		    *event_index_range(w->grid->event_index, spec->events[i]);
		for (unsigned k = 0; k < n; k++)
			*vector_add(&w->shown) = (struct shown_kind){.kind = kind + k,
								     .key = g->event_key[i],
								     .cells = w->ncells + k,
								     .shifts = n};
		w->ncells += (size_t)n * w->grid->columns;
	}
}

/* A walk through the events of a thread. */
struct stroll {
	const struct mark_context *all;
	struct mark_cell *cells; /* of its lane */
	struct event_walk walk;
	uint64_t *counts, *before;
	uint32_t *units;
};

/* Adds to a cell. Threads come in any order: the first event is that with the least id. */
static void add_to_cell(struct mark_cell *cell, uint64_t count, event_id first)
{
	cell->first = cell->count && cell->first < first ? cell->first : first;
	cell->count += count;
}

/* Adds the events of a column; before becomes the counts at its end. */
static void take_column(struct stroll *s, size_t column)
{
	for (size_t i = 0; i < s->all->shown.n; i++) {
		const struct shown_kind *shown = &s->all->shown.at[i];
		uint64_t n = s->counts[shown->kind] - s->before[shown->kind];
		if (n)
			add_to_cell(&s->cells[shown->cells + column * shown->shifts], n,
				    event_id_make(s->walk.thread, s->units[column]));
		s->before[shown->kind] = s->counts[shown->kind];
	}
}

/* Notes the counts where the walk stands: at the beginning of column i. */
static void stand(void *context, size_t i)
{
	struct stroll *s = context;

	s->units[i] = s->walk.at.unit;
	if (i == 0)
		memcpy(s->before, s->counts, event_index_kinds(s->walk.index) * sizeof *s->counts);
	else if (s->units[i] != s->units[i - 1])
		take_column(s, i - 1);
}

static void walk_thread(const struct mark_context *w, unsigned thread, struct mark_cell *cells)
{
	struct grid *grid = w->grid;
	unsigned nkinds = event_index_kinds(grid->event_index);
	struct stroll s = {.all = w,
			   .cells = cells,
			   .counts = array_zero(nkinds, sizeof *s.counts),
			   .before = array_zero(nkinds, sizeof *s.before),
			   .units = array_zero(grid->columns + 1, sizeof *s.units)};

	event_walk_begin(&s.walk, grid->event_index, thread, s.counts);
	event_walk_times(&s.walk, grid->bounds, grid->columns + 1, stand, &s);
	grid->units[thread] = s.units;
	grid->edges[thread] = (struct unit_range){s.units[0], s.units[grid->columns]};
	free(s.counts);
	free(s.before);
}

/*
 * In a lane out of sight only the edges of every ROUGH-th column and of the last ones are found,
 * and the others interpolated: near enough for the start of a line. The counts in the window are
 * exact.
 */
enum { ROUGH = 16 };

struct rough_walk {
	const struct mark_context *all;
	struct event_walk walk;
	uint64_t *counts, *before, *found;
	uint32_t *units;
	size_t *columns; /* at whose begins it stands */
};

static void guess_between(uint32_t *units, size_t from, size_t to)
{
	for (size_t c = from + 1; c < to; c++)
		units[c] = units[from] + (uint32_t)((uint64_t)(units[to] - units[from]) *
						    (c - from) / (to - from));
}

static void stand_roughly(void *context, size_t i)
{
	struct rough_walk *r = context;
	size_t column = r->columns[i];

	r->units[column] = r->walk.at.unit;
	if (i == 0)
		memcpy(r->before, r->counts, event_index_kinds(r->walk.index) * sizeof *r->counts);
	else
		guess_between(r->units, r->columns[i - 1], column);
	for (size_t k = 0; column == r->all->grid->columns && k < r->all->shown.n; k++) {
		const struct shown_kind *shown = &r->all->shown.at[k];
		r->found[shown->key] += r->counts[shown->kind] - r->before[shown->kind];
	}
}

static void walk_roughly(const struct mark_context *w, unsigned thread, uint64_t *found)
{
	struct grid *grid = w->grid;
	unsigned nkinds = event_index_kinds(grid->event_index), n = 0;
	int64_t *times = array_zero(grid->columns + 1, sizeof *times);
	struct rough_walk r = {.all = w,
			       .found = found,
			       .counts = array_zero(nkinds, sizeof *r.counts),
			       .before = array_zero(nkinds, sizeof *r.before),
			       .columns = array_zero(grid->columns + 1, sizeof *r.columns),
			       .units = array_zero(grid->columns + 1, sizeof *r.units)};

	for (size_t c = 0; c <= grid->columns; c += c + 2 * ROUGH <= grid->columns ? ROUGH : 1) {
		r.columns[n] = c;
		times[n++] = grid->bounds[c];
	}
	event_walk_begin(&r.walk, grid->event_index, thread, r.counts);
	event_walk_times(&r.walk, times, n, stand_roughly, &r);
	grid->units[thread] = r.units;
	grid->edges[thread] = (struct unit_range){r.units[0], r.units[grid->columns]};
	free(times);
	free(r.counts);
	free(r.before);
	free(r.columns);
}

static bool shows_processors(const struct building *g)
{
	for (size_t i = 0; i < g->plan.n; i++)
		if (g->plan.at[i].processors)
			return true;
	return false;
}

/* Of a thread without a lane the processors need what all others have. */
static void walk_hidden(const struct mark_context *w, unsigned thread)
{
	struct grid *grid = w->grid;

	if (w->processors) {
		uint64_t *counts = array_zero(grid->g->scene->nevents, sizeof *counts);

		walk_roughly(w, thread, counts);
		free(counts);
		return;
	}
	grid->edges[thread] = (struct unit_range){
	    .first = event_index_seek(grid->event_index, thread, grid->bounds[0]),
	    .behind = event_index_seek(grid->event_index, thread, grid->bounds[grid->columns]),
	};
}

static void walk_other(void *context, size_t thread, unsigned worker)
{
	struct mark_context *w = context;

	(void)worker;
	if (!grid_shows(w->grid, (unsigned)thread))
		walk_hidden(w, (unsigned)thread);
}

static bool hides_any(const struct building *g)
{
	for (unsigned t = 0; t < g->trace->nthreads; t++)
		if (g->lane_of[t] == NO_KEY)
			return true;
	return false;
}

/* Tests whether a thread has visible events, in the window or not. */
static bool is_marked(const struct mark_context *w, unsigned thread)
{
	const uint64_t *totals = event_index_totals(w->grid->event_index, thread);

	for (size_t i = 0; i < w->shown.n; i++)
		if (totals[w->shown.at[i].kind])
			return true;
	return false;
}

static void take_lane(const struct mark_context *w, uint32_t lane, const struct mark_cell *cells)
{
	const struct scene *s = w->grid->g->scene;
	struct lane_share *share = &w->shares[lane];

	*share = (struct lane_share){array_zero(s->nevents, sizeof *share->marks),
				     array_zero(s->nevents, sizeof *share->counts)};
	for (size_t i = 0; i < w->shown.n; i += w->shown.at[i].shifts) {
		const struct shown_kind *shown = &w->shown.at[i];
		for (size_t k = 0; k < (size_t)shown->shifts * s->columns; k++)
			share->counts[shown->key] += cells[shown->cells + k].count;
		marks_lane(s, lane, shown->key, shown->shifts, cells + shown->cells,
			   &share->marks[shown->key].list);
	}
}

/* Counts the events of a lane out of sight. */
static void count_lane(const struct mark_context *w, uint32_t lane)
{
	const struct building *g = w->grid->g;
	const struct lane_plan *plan = &g->plan.at[lane];

	w->shares[lane] =
	    (struct lane_share){array_zero(g->scene->nevents, sizeof(struct mark_share)),
				array_zero(g->scene->nevents, sizeof(uint64_t))};
	for (unsigned i = plan->first; i < plan->first + plan->n; i++) {
		walk_roughly(w, g->order[i], w->shares[lane].counts);
		g->scene->lanes[lane].marked |= is_marked(w, g->order[i]);
	}
}

static void walk_lane(void *context, size_t lane, unsigned worker)
{
	const struct mark_context *w = context;
	const struct building *g = w->grid->g;
	const struct lane_plan *plan = &g->plan.at[lane];
	struct mark_cell *cells;

	(void)worker;
	if (plan->processors)
		return;
	if (!building_sees(g, (uint32_t)lane)) {
		count_lane(w, (uint32_t)lane);
		return;
	}
	cells = array_zero(w->ncells, sizeof *cells);
	for (unsigned i = plan->first; i < plan->first + plan->n; i++) {
		walk_thread(w, g->order[i], cells);
		g->scene->lanes[lane].marked |= is_marked(w, g->order[i]);
	}
	take_lane(w, (uint32_t)lane, cells);
	free(cells);
}

/*
 * Decides where the marks of all lanes go: key by key, of each key lane by lane. Counts the events
 * of both.
 */
static void place_marks(const struct mark_context *w)
{
	struct scene *s = w->grid->g->scene;
	size_t n = s->marks.n;

	for (unsigned key = 0; key < s->nevents; key++)
		for (unsigned lane = 0; lane < s->nlanes; lane++) {
			const struct lane_share *share = &w->shares[lane];
			if (!share->marks)
				continue;
			share->marks[key].place = n;
			n += share->marks[key].list.n;
			s->events[key].count += share->counts[key];
			s->lanes[lane].events += share->counts[key];
		}
	if (n > s->marks.room)
		s->marks.at = vector_reserve(s->marks.at, n, &s->marks.room, sizeof *s->marks.at);
	s->marks.n = n;
}

static void join_lane(void *context, size_t lane, unsigned worker)
{
	const struct mark_context *w = context;
	struct scene *s = w->grid->g->scene;
	struct lane_share *share = &w->shares[lane];

	(void)worker;
	for (unsigned key = 0; share->marks && key < s->nevents; key++) {
		struct mark_share *m = &share->marks[key];

		if (m->list.n)
			memcpy(s->marks.at + m->place, m->list.at, m->list.n * sizeof *m->list.at);
		free(m->list.at);
	}
	free(share->marks);
	free(share->counts);
}

void grid_events(struct grid *grid)
{
	struct building *g = grid->g;
	struct mark_context w = {.grid = grid,
				 .shares = array_zero(g->scene->nlanes, sizeof *w.shares)};

	show_types(&w);
	w.processors = shows_processors(g);
	parallel_for(g->scene->nlanes, walk_lane, &w);
	grid->hides = hides_any(g);
	if (grid->hides)
		parallel_for(g->trace->nthreads, walk_other, &w);
	place_marks(&w);
	parallel_for(g->scene->nlanes, join_lane, &w);
	free(w.shares);
	free(w.shown.at);
}

/* ---- what breaks an assertion: marks at the anchors, and single bars and lines ---- */

/* Marks the offenders of a thread, column by column; columns without any are skipped. */
static void put_thread(struct building *g, const struct event_set *offenders, unsigned thread,
		       struct mark_builder *marks)
{
	const struct scene *s = g->scene;
	struct event_walk w;
	uint32_t unit;

	event_walk_begin(&w, g->grid->event_index, thread, NULL);
	event_walk_to_time(&w, s->window.from);
	while ((unit = event_set_next(offenders, thread, w.at.unit)) != UINT32_MAX) {
		int32_t column;
		event_walk_to_unit(&w, unit);
		if (w.at.time > s->window.to)
			return;
		column = scene_column(s, w.at.time);
		event_walk_to_time(&w, scene_column_end(s, column));
		marks_count(marks, g->lane_of[thread], column, 0, event_id_make(thread, unit),
			    event_set_count(offenders, thread, unit, w.at.unit));
	}
}

static void put_offenders(struct building *g, const struct event_set *offenders, uint32_t key)
{
	struct mark_builder *marks = marks_begin(g->scene, key);

	for (unsigned t = 0; t < g->trace->nthreads; t++)
		if (g->lane_of[t] != NO_KEY)
			put_thread(g, offenders, t, marks);
	marks_end(marks, &g->scene->violations);
}

static void sign_pieces(struct scene *s, const struct event_set *offenders, uint32_t key)
{
	for (size_t i = 0; i < s->bars.n; i++) {
		struct bar *b = &s->bars.at[i];
		if (b->key == key)
			b->violates = b->count == 1 && event_set_has(offenders, b->anchor);
	}
	for (size_t i = 0; i < s->links.n; i++) {
		struct link *l = &s->links.at[i];
		if (l->key == key)
			l->violates = l->count == 1 && event_set_has(offenders, l->anchor);
	}
}

void building_violations(struct building *g)
{
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0, key = 0; i < spec->nintervals; i++) {
		const struct event_set *offenders =
		    violations_of(g->view->violations, spec->intervals[i]);
		if (!g->intervals[i])
			continue;
		if (offenders) {
			put_offenders(g, offenders, key);
			sign_pieces(g->scene, offenders, key);
		}
		key++;
	}
}
