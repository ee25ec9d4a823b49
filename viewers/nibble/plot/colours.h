/* Chooses the colours of curves and of tiles. */
#ifndef GLIMPSE_NIBBLE_PLOT_COLOURS_H
#define GLIMPSE_NIBBLE_PLOT_COLOURS_H

#include "viewers/palette.h"
#include <stddef.h>

/*
 * Returns the colour of curve i of n: one of nine, or, if there are more than eighteen, a place on
 * a ramp.
 */
rgba curve_colour(size_t i, size_t n);
/* Returns how often the nine are used up before curve i: the second round is drawn dashed. */
unsigned curve_round(size_t i, size_t n);

/* Returns the colour of a count between 0 (none) and 1 (the most): pale to dark. */
rgba heat_colour(double part);

#endif
