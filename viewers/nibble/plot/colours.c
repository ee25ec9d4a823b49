#include "viewers/nibble/plot/colours.h"

/* The first hues, which thin lines can be seen in on white. */
enum { COLOURS = 9 };

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
