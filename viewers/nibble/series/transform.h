/* Functions from one series to another. Each gives a new series without a title. */
#ifndef GLIMPSE_NIBBLE_SERIES_TRANSFORM_H
#define GLIMPSE_NIBBLE_SERIES_TRANSFORM_H

#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/*
 * The mean over [x - length/2, x + length/2], as far as that lies in the range and the series has
 * values there. Of steps and cells, which hold their values over time, the mean is weighted by time
 * and exact; the result is lines. Of points it is the mean of those that lie there.
 */
struct curve *curve_smooth(const struct curve *s, double length, struct limits r);
/* The change from each value to the next, at the place of the later one. */
struct curve *curve_diff(const struct curve *s);
/* The sum of the values so far. Points become steps. */
struct curve *curve_cumulative(const struct curve *s);
/* Divided by the greatest magnitude; a series of zeros stays. */
struct curve *curve_normalize(const struct curve *s);

#endif
