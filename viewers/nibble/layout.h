/* Where on the page the parts of each panel stand. Text is measured by a rule of thumb: 0.6 em a letter. */
#ifndef GLIMPSE_NIBBLE_LAYOUT_H
#define GLIMPSE_NIBBLE_LAYOUT_H

#include "viewers/nibble/plot.h"

/* Fractions of the page, from its lower left corner, as gnuplot's "screen" has them. */
struct layout {
	double left, right, bottom, top;        /* of the axes */
	double title_y;                         /* upper edge of the title, at left */
	double legend_y;                        /* upper edge of the legend, at left */
	unsigned legend_rows;
	unsigned xtics, ytics;                  /* how many tic labels fit */
	bool xlabel;                            /* false where the panel below has the same axis */
};

enum { LEGEND_TEXT = 256 };

/* The size of the text in points, and an em of it in pixels. */
double layout_points(const struct plot_options *options);
double layout_em(const struct plot_options *options);

void layout_panel(const struct plot *p, size_t number, struct layout *l);
/* What the legend calls curve i of a panel. */
const char *legend_text(const struct panel *p, size_t i, char text[LEGEND_TEXT]);

/* A step of 1, 2 or 5 times a power of ten that cuts a length into at most n. */
double layout_step(double length, unsigned n);

#endif
