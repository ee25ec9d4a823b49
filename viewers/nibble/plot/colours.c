#include "viewers/nibble/plot/colours.h"

/* All but the last hue, which is much like another one beside it. */
enum { COLOURS = PALETTE_HUES - 1 };

rgba heat_colour(double part)
{
	return palette_ramp(1 - part);
}

rgba curve_colour(size_t i, size_t n)
{
	if (n <= 2 * COLOURS)
		return palette_light[i % COLOURS];
	return palette_ramp((double)i / (double)(n - 1));
}

unsigned curve_round(size_t i, size_t n)
{
	return n <= 2 * COLOURS ? (unsigned)(i / COLOURS) : 0;
}
