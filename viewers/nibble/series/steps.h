/* Step curves and points from samples. */
#ifndef GLIMPSE_NIBBLE_SERIES_STEPS_H
#define GLIMPSE_NIBBLE_SERIES_STEPS_H

#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/* How many there were up to and including each moment. Samples in order of time. */
struct curve *steps_count(const struct samples *s, struct limits r);
/* How many instances are open: +1 at a start, -1 at an end. */
struct curve *steps_open(const struct samples *s, struct limits r);
/* Every value at its moment. */
struct curve *points_of(const struct samples *s, struct limits r, struct dimension d);

/* What of steps or points lies in the range; steps keep the value that they enter it with. */
struct curve *curve_crop(struct curve *s, struct limits r);

#endif
