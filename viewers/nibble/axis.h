/* The axes of a panel: range, scale and label, from its curves. */
#ifndef GLIMPSE_NIBBLE_AXIS_H
#define GLIMPSE_NIBBLE_AXIS_H

#include "viewers/nibble/plot.h"

void axis_fit_x(struct panel *p, const struct plot_options *options);
void axis_fit_y(struct panel *p, const struct plot_options *options);

/* Where a value stands between the two ends that are shown: 0 to 1 inside; NaN where a log axis has no place. */
double axis_place(const struct axis *a, double value);

#endif
