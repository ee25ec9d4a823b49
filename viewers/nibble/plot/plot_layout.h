/*
 * Places the parts of each panel on the page. Text is measured by a rule of thumb: 0.6 em a letter.
 */
#ifndef GLIMPSE_NIBBLE_PLOT_PLOT_LAYOUT_H
#define GLIMPSE_NIBBLE_PLOT_PLOT_LAYOUT_H

#include "viewers/nibble/plot/plot.h"

/* Fractions of the page, from its lower left corner, as gnuplot's "screen" has them. */
struct panel_layout {
	double left, right, bottom, top; /* of the axes */
	double page_title_y, title_y;    /* middle of the titles, which begin at left */
	double xlabel_y, ylabel_x;       /* middle of the labels of the axes */
	double legend_y;                 /* upper edge of the legend, at left */
	unsigned legend_rows;
	double colours_x, colours_width, colours_label_x; /* the scale of colours beside tiles */
	unsigned xtics, ytics;                            /* how many tic labels fit */
	bool xlabel; /* false where the panel below has the same axis */
};

enum { LEGEND_TEXT = 256 };

/* Return the size of the text in points, and its em in pixels. */
double layout_points(const struct plot_options *options);
double layout_em(const struct plot_options *options);

void layout_panel(const struct plot *p, size_t number, struct panel_layout *l);
/* Writes what the legend calls curve i of a panel; returns text. */
const char *legend_text(const struct panel *p, size_t i, char text[LEGEND_TEXT]);
/* Writes what replaces a legend with too many entries; returns text. */
const char *legend_ramp(const struct panel *p, char text[2 * LEGEND_TEXT]);

#endif
