/* The axes of a panel: range, scale and label, from its curves. */
#ifndef GLIMPSE_NIBBLE_PLOT_AXIS_H
#define GLIMPSE_NIBBLE_PLOT_AXIS_H

#include "viewers/nibble/plot/plot.h"

void axis_fit_x(struct panel *p, const struct plot_options *options);
/* also: what the range must include beside the curves; from INFINITY to -INFINITY is nothing. */
void axis_fit_y(struct panel *p, const struct plot_options *options, struct limits also);

/* Adds to the label below how many values the fitted axes have no place for, if there are any. */
void axis_tell_absent(struct panel *p);

/* Whether the axis has a place for a value: a logarithmic one has none at zero and below. */
bool axis_has(const struct axis *a, double value);
/*
 * Where a value stands between the two ends that are shown: 0 to 1 inside; NaN where a log axis has
 * no place.
 */
double axis_place(const struct axis *a, double value);

/*
 * The step between the tics of a linear axis, in its unit: 1, 2 or 5 times a power of ten, so that
 * there are about n; not below 1 where all values are whole numbers.
 */
double axis_step(const struct axis *a, unsigned n);
/* How many decimals the multiples of a step have. */
int axis_decimals(double step);

#endif
