/* Computes curves from samples, which are in order of time. */
#ifndef GLIMPSE_NIBBLE_SERIES_SAMPLED_H
#define GLIMPSE_NIBBLE_SERIES_SAMPLED_H

#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/* Counts the samples up to and including each moment: steps. */
struct curve *steps_count(const struct value_samples *s, struct limits r);
/* Counts the instances that are open: steps of +1 at a start, -1 at an end. */
struct curve *steps_open(const struct value_samples *s, struct limits r);
/* Puts every value at its moment. */
struct curve *points_of(const struct value_samples *s, struct limits r, struct dimension d);

/* Cuts off what lies outside of the range; steps keep the value that they enter it with. */
struct curve *curve_crop(struct curve *s, struct limits r);

/* Counts the samples per nanosecond in each window; 0 where there are none. */
struct curve *window_rate(const struct value_samples *s, const struct windows *g);
/* Returns the sum of the values by time, of dimension d, in each window. */
struct curve *window_value_rate(const struct value_samples *s, const struct windows *g,
				struct dimension d);

enum summary { SUMMARY_MEAN, SUMMARY_MIN, SUMMARY_MAX, SUMMARY_SUM, SUMMARY_QUANTILE };

/*
 * Summarizes the values in each window. A window without a sample has no value, except that its sum
 * is 0. q: of a quantile, by the nearest rank.
 */
struct curve *window_summary(const struct value_samples *s, const struct windows *g, enum summary f,
			     double q, struct dimension d);
/* Returns the share of each window that at least one of the instances covers, 0 to 1. */
struct curve *window_busy(const struct value_samples *s, const struct windows *g);
/*
 * Returns in each window how long the samples are together, as a share of `whole`, a time for each
 * window; where that is 0 there is no value.
 */
struct curve *window_share(const struct value_samples *s, const struct windows *g,
			   const double *whole);
/*
 * Adds the length of [from, to) to the windows that it lies in. hint: see windows_find(); for times
 * in no order it is 0.
 */
void windows_cover(const struct windows *g, double *covered, double from, double to, size_t *hint);

#endif
