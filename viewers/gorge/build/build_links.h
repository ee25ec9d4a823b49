/* Lines while they are gathered. */
#ifndef GLIMPSE_GORGE_BUILD_BUILD_LINKS_H
#define GLIMPSE_GORGE_BUILD_BUILD_LINKS_H

#include "viewers/gorge/build/grid.h"

/* So many lines are given one by one; so many parts of the work go to whichever processor is free. */
enum { MOST_SINGLES = 3 * MOST_LINES, BUNCHES = 64 };

struct lining {
	struct grid *grid;
	const struct instances *instances;
	bool picked;			    /* only what is picked */
	bool hides;			    /* some threads are not shown */
	unsigned group;			    /* columns that are taken as one; 0: none are */
	const struct event_type *from, *to; /* of the earlier and the later event */
	struct begun *begun;		    /* by spans */
};

/* A line in the making, which stands for so many. */
struct line {
	struct link_end start, end;
	event_id anchor;
	uint64_t count;
};

/* What some of the spans give; bunches are gathered at once. */
struct bunch {
	const struct lining *lining;
	size_t first, end;		    /* its spans */
	struct spans *spans;		    /* the one that is being looked at */
	VECTOR(struct line) lines;
	struct span_sums sums;
	uint64_t hidden;
};

/* Instance i of the spans stands for so many. */
void lines_put(struct bunch *b, size_t i, int64_t start, uint64_t count);
bool lines_picked(const struct bunch *b, const struct spans *s, size_t i);
/* Counts the instance, if it touches what is shown. Whether it is a line that is to be drawn. */
bool lines_count(struct bunch *b, size_t i);
/* Of one that began before the window: both. */
void lines_reaching(void *context, const struct spans *s, size_t i, int64_t start);
/* One of n of a spans's instances, from i on: each spans by its own lot, or all would show the first. */
size_t lines_lot(const struct spans *s, size_t i, size_t n);
/* When the instance starts; the walk goes through the spans's thread. */
int64_t lines_start(const struct bunch *b, struct event_walk *walk, size_t i);
/* Those of [i, end) that start in columns which are taken as one with that of i, which is *column or behind it; the end of so many is near. */
size_t lines_group(const struct bunch *b, size_t i, size_t end, unsigned *column, size_t before);
int64_t lines_middle(const struct grid *grid, unsigned column);
/* What is picked of a spans between threads that are shown. */
void lines_put_picked(struct bunch *b, struct begun begun);
/* One line may stand for so many neighbours, that few enough are drawn in all. */
size_t lines_each(const struct bunch *b, struct begun begun);
/* Of a fan, when not all threads are shown. */
void lines_fan(struct bunch *b, struct begun begun);

#endif
