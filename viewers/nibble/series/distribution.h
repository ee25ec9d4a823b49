/* Computes how values are distributed: how many are in each bin, or at most at each value. */
#ifndef GLIMPSE_NIBBLE_SERIES_DISTRIBUTION_H
#define GLIMPSE_NIBBLE_SERIES_DISTRIBUTION_H

#include "viewers/nibble/sample/values.h"
#include "viewers/nibble/series/curve.h"

/*
 * Returns how many values fall into each bin. The width follows Freedman and Diaconis: twice the
 * interquartile range over the cube root of the number. It is rounded to 1, 2 or 5 times a power of
 * ten and gives 5 to 200 bins. Integers that span less than 50 get a bin each, centred. The last
 * bin includes its upper edge. If bins is not 0, there are that many instead. logarithmic: the same
 * for the values' logarithms, so that all bins are equally wide on a logarithmic axis. Values of
 * zero or less then have a bin of their own below the others.
 */
struct curve *histogram_of(const struct values *p, struct dimension of, unsigned bins,
			   bool logarithmic);

/*
 * Returns for how long a curve over time has values of each bin. The bins are those of its
 * different values, each counted once.
 */
struct curve *histogram_of_curve(const struct curve *s, struct limits r, unsigned bins,
				 bool logarithmic);

/* A value, and how long a curve has it. */
struct curve_level {
	double value, time;
};

/* Returns the same of the different values of a curve that has only its names. */
struct curve *histogram_of_levels(const struct curve *hollow, const struct curve_level *levels,
				  size_t n, unsigned bins, bool logarithmic);

/* Returns the share of the values that are at most x: steps. */
struct curve *histogram_cdf(const struct values *p, struct dimension of);
/*
 * Returns as much of the same as can be seen: the first and the last step in each of very many
 * parts of the range. log_x: the axis will be logarithmic.
 */
struct curve *histogram_cdf_drawn(const struct values *p, struct dimension of, bool log_x);

/*
 * Counts the values in each tile of a window of time and a bin of values. There are `bins` bins of
 * equal height; if it is 0, about forty of a round height. If it is logarithmic, there are ten to
 * each power of ten instead, and one below them for values of zero or less.
 */
struct curve *heat_of(const struct values *p, const struct windows *windows, struct dimension of,
		      unsigned bins, bool logarithmic);

#endif
