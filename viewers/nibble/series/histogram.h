/* Distributions of values. */
#ifndef GLIMPSE_NIBBLE_SERIES_HISTOGRAM_H
#define GLIMPSE_NIBBLE_SERIES_HISTOGRAM_H

#include "viewers/nibble/sample/values.h"
#include "viewers/nibble/series/curve.h"

/*
 * Returns how many values fall into each bin. The width follows Freedman and Diaconis (twice the
 * interquartile range over the cube root of the number), is rounded to 1, 2 or 5 times a power of
 * ten and gives 5 to 200 bins; integers that span less than 50 get a bin each, centred. bins: that
 * many instead, or 0. logarithmic: the same of the values' logarithms, so that all bins are equally wide
 * on a logarithmic axis; values of zero or less then have a bin of their own below the others. The
 * last bin includes its upper edge.
 */
struct curve *histogram_of(const struct values *p, struct dimension of, unsigned bins,
			    bool logarithmic);

/* The share of the values that are at most x: steps. */
struct curve *histogram_cdf(const struct values *p, struct dimension of);
/*
 * As much of it as is to be seen: of each of very many parts of the range the first step and the
 * last one. log_x: the axis will be logarithmic.
 */
struct curve *histogram_cdf_drawn(const struct values *p, struct dimension of, bool log_x);

#endif
