/* Draws scenes: the whole picture with title, legend, lanes, time axis and notes, and its parts. */
#ifndef GLIMPSE_GORGE_DRAW_COMPOSE_H
#define GLIMPSE_GORGE_DRAW_COMPOSE_H

#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/draw/layout.h"

/*
 * Returns a picture of the scene. width: the one for which the scene has its columns; height 0: as
 * high as it needs.
 */
struct drawing *scene_draw(const struct scene *s, double width, double height);
/*
 * Prints what such a picture of states adds to the scene: the legend's entries, and heights of
 * lanes and rows.
 */
void scene_dump_drawn(const struct scene *s, double width, double height, FILE *out);

/* The parts of the page. */

/* Draws the legend below y; returns where it ends. */
double legend_draw(struct drawing *d, const struct scene *s, double y);
/* Draws what of it is about single signs, such as losses, for a legend of one line. */
double legend_draw_signs(struct drawing *d, const struct scene *s, double y);

/* Draw the bands and names of the lanes; what is behind all else: lives, losses and the grid. */
void ground_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void lanes_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void grid_draw(struct drawing *d, const struct scene *s, const struct layout *l);
/* Draw the axis: as a strip of its own, at the bottom of the drawing; and around the lanes. */
void ruler_draw(struct drawing *d, const struct scene *s, const struct layout *l);
/* Draws what a ruler says above the shares of lanes, which are shares of that. */
void ruler_draw_shares(struct drawing *d, const struct scene *s, const struct layout *l,
		       const char *of);
void axis_draw(struct drawing *d, const struct scene *s, const struct layout *l);
/* Return what the axis takes above and below the lanes. */
double axis_above(void);
double axis_below(const struct scene *s);

void bars_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void links_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void marks_draw(struct drawing *d, const struct scene *s, const struct layout *l);
/* Draw what is in the lanes of objects; the colours of threads beside their names. */
void objects_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void object_chips_draw(struct drawing *d, const struct scene *s, const struct layout *l);
/* Explains these below y; returns where that ends. */
double objects_legend_draw(struct drawing *d, const struct scene *s, double y);
/* Draw the sampled stacks; beside the names of lanes, how many frames are not shown. */
void stacks_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void stacks_draw_hidden(struct drawing *d, const struct scene *s, const struct layout *l);
/* Draw notes of readers: over the lanes; and their flags, which end at bottom. */
void remarks_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void remarks_draw_flags(struct drawing *d, const struct scene *s, const struct layout *l,
			double bottom);
void path_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void violations_draw(struct drawing *d, const struct scene *s, const struct layout *l);
/* Returns the colour of an interval's lines. */
static inline rgba line_colour(const struct scene *s, unsigned key)
{
	return theme_line_colour(s->theme, s->intervals[key].colour);
}

/* Add the edge of a bar, or a line between lanes, to what the brush draws. */
void bar_frame_draw(struct drawing *d, const struct scene *s, const struct layout *l,
		    const struct bar *b);
void link_draw(struct drawing *d, const struct scene *s, const struct layout *l,
	       const struct link *link);
/* Returns the height of n tracks. */
double tracks_height(size_t n);
/* Draw tracks from top on: what stays when the view is dragged, and what moves. */
void tracks_draw_ground(struct drawing *d, const struct scene *s, const struct layout *l,
			struct series_track *const *tracks, size_t n, double top);
void tracks_draw_curves(struct drawing *d, const struct scene *s, const struct layout *l,
			struct series_track *const *tracks, size_t n, double top);

/* Draws the sign of a violation, its middle at x; and returns where it is in a lane. */
void violation_sign_draw(struct drawing *d, const struct theme *theme, double x, double top);
double violation_sign_y(const struct layout *l, uint32_t lane);

/*
 * Draws at the right of lanes what their threads did; and of what these are shares, with its base
 * line at y.
 */
void shares_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void shares_draw_head(struct drawing *d, const struct scene *s, const struct layout *l,
		      const char *of, double y);
/* Returns the time that the threads of a lane ran, in ns; of several threads the sum. */
double shares_running(const struct scene *s, const struct lane *lane);
/* Draws the states of merged lanes; and their scales, beside the names. */
void merges_draw(struct drawing *d, const struct scene *s, const struct layout *l);
void merges_draw_scales(struct drawing *d, const struct scene *s, const struct layout *l);

/* Parts that lanes and legend share. */
void hatching_draw(struct drawing *d, rgba colour, double x, double y, double width, double height);
/* Adds the sign of an unmatched anchor: open to the right, or backwards to the left. */
void stub_draw(struct drawing *d, double x, double y, double radius, bool backwards);
/* Return the colour of a strip of a level (1 to 3), and of a run of bars (1 to 4). */
rgba strip_colour(const struct scene *s, rgba colour, unsigned level);
rgba run_colour(const struct scene *s, rgba colour, unsigned level);
/*
 * Returns the width of a line that stands for share times as many instances as others do on
 * average.
 */
double bundle_width(double share);

#endif
