/* Fits the axes of a panel to its curves: range, scale and label. */
#ifndef GLIMPSE_NIBBLE_PLOT_AXIS_H
#define GLIMPSE_NIBBLE_PLOT_AXIS_H

#include "viewers/nibble/plot/plot.h"

void axis_fit_x(struct panel *p, const struct plot_options *options);
/*
 * Fits the other axis. also: what the range must include beside the curves; from INFINITY to
 * -INFINITY is nothing.
 */
void axis_fit_y(struct panel *p, const struct plot_options *options, struct limits also);

/* Adds to the label of x how many values the fitted axes have no place for, if any. */
void axis_tell_absent(struct panel *p);

/* Tests whether the axis has a place for a value: a logarithmic one has none at zero and below. */
bool axis_has(const struct plot_axis *a, double value);
/*
 * Returns the place of a value between the ends of the axis, 0 to 1 within; NaN: a logarithmic axis
 * has none.
 */
double axis_place(const struct plot_axis *a, double value);

/*
 * Returns the step between about n tics of a linear axis, in its unit: 1, 2 or 5 times a power of
 * ten; not below 1 if all values are whole numbers.
 */
double axis_step(const struct plot_axis *a, unsigned n);
/* Returns how many decimals the multiples of a step have. */
int axis_decimals(double step);

#endif
