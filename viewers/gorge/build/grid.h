/* The pixels' columns of a picture, in time and in the logs. */
#ifndef GLIMPSE_GORGE_BUILD_GRID_H
#define GLIMPSE_GORGE_BUILD_GRID_H

#include "viewers/gorge/build/building.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/scene/links.h"

/* Of a thread: the first unit that is not before the window, and the first behind it. */
struct edges {
	uint32_t first, behind;
};

struct grid {
	struct gather *g;
	const struct event_index *event_index;
	struct span_rows *span_rows;            /* once there are any */
	bool hides;             /* some threads are not shown */
	unsigned columns;
	int64_t *bounds;        /* the first time of each column; and the first one behind them all */
	uint32_t **units;       /* by thread: the first unit that is not before each bound; NULL: hidden */
	struct edges *edges;    /* by thread, hidden ones too */
	uint64_t *begins;       /* how many that are picked begin within each lane's columns, lane by lane; NULL: none are */
};

struct grid *gather_grid_new(struct gather *g);
void gather_grid_free(struct grid *grid);
/* The column of the thread's event, which is in the window; at i or later. */
unsigned gather_grid_column(const struct grid *grid, unsigned thread, unsigned i, uint32_t unit);

/* Walks through the threads that are shown: the units, and the events as marks. */
void gather_grid_events(struct grid *grid);
/* Whether a thread is shown. */
static inline bool gather_grid_shows(const struct grid *grid, unsigned thread)
{
	return grid->g->lane_of[thread] != NO_KEY;
}

/* The instances of a spans that start in the window: [i, end). */
struct begun {
	size_t i, end;
};
struct begun gather_grid_begun(const struct grid *grid, const struct spans *s);
/* Those that begin before the window and reach into it; begun: where they end. */
void gather_grid_reaching(const struct grid *grid, const struct spans *s, size_t begun,
			  spans_take take, void *context);

/* Through those that are picked, from i on. */
static inline struct selection_walk gather_grid_tally(const struct grid *grid, const struct spans *s, size_t i)
{
	return selection_walk_begin(s, i, grid->g->scene->pick.least, grid->g->scene->pick.most);
}

/* Instances within threads, as bars. */
void gather_grid_bars(struct grid *grid, const struct span_rows *span_rows);
/* Instances between threads, as lines; or only those that are picked. */
void gather_grid_lines(struct grid *grid, const struct instances *n, uint32_t key, bool picked,
		       struct links *links);

#endif
