/* From a scene to a drawing: the whole page with title, legend, lanes, time axis and notes. */
#ifndef GLIMPSE_GORGE_DRAW_COMPOSE_H
#define GLIMPSE_GORGE_DRAW_COMPOSE_H

#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/draw/layout.h"

/* width must be that for which the scene has its columns; height 0: as high as it needs. */
struct drawing *compose(const struct scene *s, double width, double height);

/* The parts of the page. */

/* Below y; gives where it ends. */
double compose_legend(struct drawing *d, const struct scene *s, double y);

/* The lanes' bands and names; what is behind all else: lives, losses and the grid; the time axis. */
void compose_ground(struct drawing *d, const struct scene *s, const struct layout *l);
void compose_lanes(struct drawing *d, const struct scene *s, const struct layout *l);
void compose_grid(struct drawing *d, const struct scene *s, const struct layout *l);
/* The axis as a strip of its own, at the bottom of the drawing. */
void compose_ruler(struct drawing *d, const struct scene *s, const struct layout *l);
void compose_axis(struct drawing *d, const struct scene *s, const struct layout *l);
/* What the axis takes above and below the lanes. */
double axis_above(void);
double axis_below(const struct scene *s);

void compose_bars(struct drawing *d, const struct scene *s, const struct layout *l);
void compose_links(struct drawing *d, const struct scene *s, const struct layout *l);
void compose_marks(struct drawing *d, const struct scene *s, const struct layout *l);
void compose_violations(struct drawing *d, const struct scene *s, const struct layout *l);
/* Adds a bar's edge, or a line between lanes, to what the brush draws. */
void compose_frame(struct drawing *d, const struct layout *l, const struct bar *b);
void compose_link(struct drawing *d, const struct scene *s, const struct layout *l,
		  const struct link *link);
/* The sign of what breaks an assertion, its middle at x, and where it is in a lane. */
void draw_violation(struct drawing *d, const struct theme *theme, double x, double top);
double violation_y(const struct layout *l, uint32_t lane);

/* What lanes and legend draw alike. */
void draw_hatching(struct drawing *d, rgba colour, double x, double y, double width, double height);
/* The sign of an unmatched anchor: open to the right, or backwards to the left. */
void draw_stub(struct drawing *d, double x, double y, double radius, bool backwards);
/* The colours of a strip's level (1 to 3) and of a run of bars (1 to 4). */
rgba strip_colour(const struct scene *s, rgba colour, unsigned level);
rgba run_colour(const struct scene *s, rgba colour, unsigned level);
/*
 * The width of a line that stands for so many times as many intervals as the others do on average.
 */
double bundle_width(double share);

#endif
