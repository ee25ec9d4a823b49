/* Time by value: how many values there are in each tile of a window of time and a bin of values. */
#ifndef GLIMPSE_NIBBLE_SERIES_HEAT_H
#define GLIMPSE_NIBBLE_SERIES_HEAT_H

#include "viewers/nibble/sample/values.h"
#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/*
 * bins: how many of equal height, or 0: about forty of a round one. logarithmic: ten to each power
 * of ten instead, and one below them for values of zero or less.
 */
struct curve *heat_of(const struct values *p, const struct windows *windows, struct dimension of,
		       unsigned bins, bool logarithmic);

#endif
