/* The pixels' columns of a picture, in time and in the logs. */
#ifndef GLIMPSE_GORGE_GATHER_GRID_H
#define GLIMPSE_GORGE_GATHER_GRID_H

#include "viewers/gorge/gather.h"
#include "viewers/gorge/links.h"
#include "viewers/gorge/pyramid.h"

struct grid {
	struct gather *g;
	struct pyramid *pyramid;
	const struct census *census;
	unsigned columns;
	int64_t *bounds;        /* the first time of each column; and the first one behind them all */
	uint32_t **units;       /* by thread: the first unit that is not before each bound; NULL: hidden */
};

struct grid gather_grid_new(struct gather *g);
void gather_grid_free(struct grid *grid);
/* The column of the thread's event, which is in the window; at i or later. */
unsigned gather_grid_column(const struct grid *grid, unsigned thread, unsigned i, uint32_t unit);

/* Walks through the threads that are shown: the units, and the events as marks. */
void gather_grid_events(struct grid *grid);
/* The event of an instance that tells it. */
event_id gather_grid_anchor(const struct instances *n, const struct sheaf *s, size_t i);
/* Instances within threads, as bars. */
void gather_grid_bars(struct grid *grid, const struct tiers *tiers);
/* Instances between threads, as lines. */
void gather_grid_lines(struct grid *grid, const struct instances *n, uint32_t key, struct links *links);

#endif
