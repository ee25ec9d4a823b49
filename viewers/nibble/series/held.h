/* Curves of what the open instances hold together, from samples in order of time. */
#ifndef GLIMPSE_NIBBLE_SERIES_HELD_H
#define GLIMPSE_NIBBLE_SERIES_HELD_H

#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/* Adds up the values of the instances that are open. */
struct curve *steps_held(const struct value_samples *s, struct limits r, struct dimension d);
/*
 * Keeps only what is drawn: the first, the last, the least and the greatest of each of so many even
 * pieces of the range.
 */
struct curve *steps_held_drawn(const struct value_samples *s, struct limits r, struct dimension d,
			       unsigned pieces);

#endif
