/*
 * Lists the axes along which a focus is refined: the value of a span on each, and the focus of one
 * value.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_AXES_H
#define GLIMPSE_ANALYSIS_WHY_AXES_H

#include "analysis/why/axis_keys.h"
#include "analysis/why/axis_sums.h"
#include "analysis/why/focus.h"

/* The values that the selected spans of a focus have on an axis, that with most time first. */
void axis_values_of(const struct evidence *g, const struct focus *f, const bool *places,
		    enum axis a, axis_values *values);
/* The spans of a focus that have a value on an axis. */
struct focus focus_narrow(const struct evidence *g, const struct focus *f, const bool *places,
			  enum axis a, int64_t key);

#endif
