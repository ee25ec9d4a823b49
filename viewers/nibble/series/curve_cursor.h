/* Reads a series from left to right: its value on either side of moments that never step back. */
#ifndef GLIMPSE_NIBBLE_SERIES_CURVE_CURSOR_H
#define GLIMPSE_NIBBLE_SERIES_CURVE_CURSOR_H

#include "viewers/nibble/series/curve.h"

struct curve_cursor {
	const struct curve *series;
	size_t k; /* how many of its x lie to the left */
};

#define CURSOR(s) ((struct curve_cursor){(s), 0})

/*
 * Return the limits at x. Points hold until the next one. NaN where the series is not defined:
 * before the first point, outside of cells, outside of lines. Ask for the left limit at an x before
 * the right one.
 */
double cursor_left(struct curve_cursor *c, double x);
double cursor_right(struct curve_cursor *c, double x);

/* Returns the next x to the right of everything passed; INFINITY if there is none. */
double cursor_next(const struct curve_cursor *c);

/*
 * Returns the mean over [from, to), weighted by time, of what is defined there; NaN if nothing is.
 * The cursor is at from.
 */
double cursor_mean(struct curve_cursor *c, double from, double to);

#endif
