/* Names the values of an axis that stand for most of the time of a finding. */
#ifndef GLIMPSE_ANALYSIS_WHY_PARTS_H
#define GLIMPSE_ANALYSIS_WHY_PARTS_H

#include "analysis/why/axis_sums.h"
#include "analysis/why/search.h"

/* Adds the values with most time, up to eight, until they stand for nine tenths of it. */
void parts_take(const struct evidence *g, const axis_values *values, parts_named *parts);
/* Ends sums, and adds their values. */
void sums_take(const struct evidence *g, struct axis_sums *sums, parts_named *parts);

#endif
