/* Distributions of values. */
#ifndef GLIMPSE_NIBBLE_HISTOGRAM_H
#define GLIMPSE_NIBBLE_HISTOGRAM_H

#include "viewers/nibble/grid.h"
#include "viewers/nibble/samples.h"
#include "viewers/nibble/series.h"

/*
 * How many values of samples in the range of time fall into each bin. The width follows Freedman
 * and Diaconis (twice the interquartile range over the cube root of the number), is rounded to 1, 2
 * or 5 times a power of ten and gives 5 to 200 bins; integers that span less than 50 get a bin
 * each, centred. bins: that many instead, or 0. The last bin includes its upper edge.
 */
struct series *histogram_of(const struct samples *s, struct range r, struct dimension of,
			    unsigned bins);

/* The share of the values that are at most x: steps. */
struct series *histogram_cdf(const struct samples *s, struct range r, struct dimension of);

#endif
