/* Places what is in a picture. */
#ifndef GLIMPSE_GORGE_DRAW_LAYOUT_H
#define GLIMPSE_GORGE_DRAW_LAYOUT_H

#include "viewers/gorge/scene/scene.h"
#include "viewers/gorge/style/density.h"

/* The place of one lane. */
struct lane_place {
	double top, height;
	unsigned ntracks; /* of symbols; 0: it has none */
	double tracks;    /* the top of its symbols */
	double rows;      /* the top of its bars */
	/* heights, after the lanes were fitted into the page; of a row of each band */
	double track, row[BANDS];
	double names; /* above all that: room for the names of lives; 0: none */
	double merge; /* of merged states, whose top is that of the bars */
};

struct layout {
	const struct density *density;
	double x, width;             /* of the columns */
	double shares, shares_width; /* of what is at the right of them; 0: nothing */
	double top, bottom;          /* of the lanes */
	struct lane_place *places;   /* one for each lane */
};

/* Lays out the lanes below top. height: of all of them, or 0 for what they need. */
struct layout *layout_new(const struct scene *s, double width, double top, double height);
void layout_free(struct layout *l);

double layout_track_y(const struct layout *l, uint32_t lane, unsigned track);
/* Return the top of a row of bars, and its height. */
double layout_row_y(const struct scene *s, const struct layout *l, uint32_t lane, unsigned row);
double layout_row_height(const struct scene *s, const struct layout *l, uint32_t lane,
			 unsigned row);
/* Returns the middle of the row of states of a lane, of a merged lane, or of the lane. */
double layout_row_middle(const struct scene *s, const struct layout *l, uint32_t lane);
/*
 * Returns where the line of a thread's life is: below its states, or in the middle of its symbols.
 */
double layout_life_y(const struct scene *s, const struct layout *l, uint32_t lane);
/* Returns the height of a bar of a band that has so many slices of its row. */
double layout_bar_height(const struct layout *l, uint32_t lane, enum band band, unsigned slices);
/* Sets the top of a bar, and its height. */
void layout_bar(const struct scene *s, const struct layout *l, const struct bar *b, double *top,
		double *height);
/*
 * Returns the height of a mark of the event's key in a lane; NO_KEY: of the end of a line at an
 * event that is not drawn.
 */
double layout_mark_y(const struct scene *s, const struct layout *l, uint32_t lane, uint32_t key,
		     uint8_t shift);

#endif
