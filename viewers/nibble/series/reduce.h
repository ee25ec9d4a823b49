/* As few points as draw the same picture. */
#ifndef GLIMPSE_NIBBLE_SERIES_REDUCE_H
#define GLIMPSE_NIBBLE_SERIES_REDUCE_H

#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/* A canvas: the range of x is drawn on that many pixels across. */
struct canvas {
	struct limits x;
	unsigned columns, rows;
	bool log_x, log_y;
};

/*
 * What is to be drawn of a series: steps and cells from edge to edge of the range, cells as lines
 * with a gap (NaN) where they have no value. Where a pixel column has more than four points, its
 * first, last, least and greatest stay: no extreme is lost. Of points those stay that light a pixel
 * which none before them lit. The cells of a distribution stay cells.
 */
struct curve *curve_drawn(const struct curve *s, const struct canvas *c);

#endif
