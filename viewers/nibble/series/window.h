/* Functions over windows: one value for the samples that stand in each. */
#ifndef GLIMPSE_NIBBLE_SERIES_WINDOW_H
#define GLIMPSE_NIBBLE_SERIES_WINDOW_H

#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

enum summary { SUMMARY_MEAN, SUMMARY_MIN, SUMMARY_MAX, SUMMARY_SUM, SUMMARY_QUANTILE };

/* Samples per nanosecond in each window; 0 where there are none. */
struct curve *window_rate(const struct samples *s, const struct windows *g);
/*
 * The summary of the values in each window. A window without a sample has no value, except that its
 * sum is 0. q: of a quantile, by the nearest rank. Samples in order of time.
 */
struct curve *window_summary(const struct samples *s, const struct windows *g, enum summary f,
			      double q, struct dimension d);
/*
 * The share of each window that at least one of the instances covers, 0 to 1. Samples in order of
 * time.
 */
struct curve *window_busy(const struct samples *s, const struct windows *g);

#endif
