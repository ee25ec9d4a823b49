/* Reduces curves to as few points as draw the same picture. */
#ifndef GLIMPSE_NIBBLE_SERIES_REDUCE_H
#define GLIMPSE_NIBBLE_SERIES_REDUCE_H

#include "viewers/nibble/sample/evaluation.h"
#include "viewers/nibble/sample/values.h"
#include "viewers/nibble/series/curve.h"

/*
 * Returns what is to be drawn of a curve: steps and cells from edge to edge of the range, cells as
 * lines with a gap (NaN) where they have no value. Where a pixel column has more than four points,
 * its first, last, least and greatest stay: no extreme is lost. Of points those stay that light a
 * pixel which none before them lit. The cells of a distribution stay cells.
 */
struct curve *curve_drawn(const struct curve *s, const struct canvas *c);

/* Returns how many columns of half a pixel the canvas has. */
size_t scatter_columns(const struct canvas *c);

/*
 * Returns of each column the first, the last, the least and the greatest value, and those that
 * light a pixel of half the canvas' size which none before them lit; in order of time. The values
 * have times.
 */
struct curve *scatter_drawn(const struct values *p, const struct windows *columns,
			    const struct canvas *c, struct dimension d);

#endif
