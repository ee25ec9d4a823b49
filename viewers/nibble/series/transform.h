/* Transforms one curve into another. Each function returns a new curve without a title. */
#ifndef GLIMPSE_NIBBLE_SERIES_TRANSFORM_H
#define GLIMPSE_NIBBLE_SERIES_TRANSFORM_H

#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/*
 * Returns the mean over [x - length/2, x + length/2], as far as that lies in the range and the
 * curve has values there. Steps and cells hold their values over time: their mean is weighted by
 * time and exact, and the result is lines. The mean of points is the mean of the points that are
 * there.
 */
struct curve *curve_smooth(const struct curve *s, double length, struct limits r);
/* Returns the change from each value to the next, at the place of the later one. */
struct curve *curve_diff(const struct curve *s);
/* Returns the sum of the values so far; of points that is steps. */
struct curve *curve_cumulative(const struct curve *s);
/* Returns the values divided by the greatest magnitude; zeros stay. */
struct curve *curve_normalize(const struct curve *s);

/* Removes all members of a family but those n whose greatest values are greatest. */
void family_top(struct family *f, size_t n);

#endif
