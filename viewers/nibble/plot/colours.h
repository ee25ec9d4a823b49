/*
 * Colours for curves that readers of every kind of sight tell apart (Okabe and Ito), and a ramp for
 * many.
 */
#ifndef GLIMPSE_NIBBLE_PLOT_COLOURS_H
#define GLIMPSE_NIBBLE_PLOT_COLOURS_H

#include <stddef.h>
#include <stdint.h>

enum { PALETTE_COLOURS = 7 };

/*
 * 0xRRGGBB of curve i of n: one of seven, or, when there are more than fourteen, a place on a ramp.
 */
uint32_t curve_colour(size_t i, size_t n);
/* How often the seven have been used up before i: the second round is drawn dashed. */
unsigned curve_round(size_t i, size_t n);

/* For counts, of which 0 is none and 1 the most: pale to dark. */
uint32_t heat_colour(double part);

#endif
