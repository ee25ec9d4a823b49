/*
 * Makes a view as the page shows it: the scene, its layout, and drawings that the page lays over
 * each other. Finds what is at a point.
 */
#ifndef GLIMPSE_GORGE_DRAW_PICTURE_H
#define GLIMPSE_GORGE_DRAW_PICTURE_H

#include "base/json.h"
#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/draw/layout.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/view.h"
#include <stdatomic.h>

struct picture {
	atomic_uint holders;
	struct scene *scene;
	struct layout *layout;
	double width, height;
	struct drawing *ground; /* stays when the view is dragged: bands and names */
	struct drawing *plot;
	struct drawing *picked; /* lies on the plot; NULL: nothing is picked */
	struct drawing *ruler;
	struct drawing *shares; /* lies on the ground, and what is above it on the ruler */
	struct drawing *shares_head;
};

/*
 * Returns a picture. room: pixels that the lanes may fill; they take more if they need more.
 * Returns NULL, and diag is told, if the view asks for what is not there.
 */
struct picture *picture_new(const struct view *v, double room, struct trace_index *m,
			    struct diag *diag);
/*
 * Adds a holder; the first is who made the picture, and the last picture_free() frees it. NULL is
 * allowed.
 */
struct picture *picture_hold(struct picture *p);
void picture_free(struct picture *p);

enum thing {
	THING_NONE,
	THING_MARK,
	THING_STUB,
	THING_VIOLATION,
	THING_BAR,
	THING_LINK,
	THING_OBJECT_BAR,
	THING_OBJECT_MARK,
	THING_OBJECT_LINK,
	THING_STACK
};

struct hit {
	enum thing thing;
	size_t index; /* in the scene's list of these things */
};

/* Returns what is at a point of the plot, or near to it: symbols before bars before lines. */
struct hit picture_hit(const struct picture *p, double x, double y);

#endif
