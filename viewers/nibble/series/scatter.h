/* Points, as many as are to be seen. */
#ifndef GLIMPSE_NIBBLE_SERIES_SCATTER_H
#define GLIMPSE_NIBBLE_SERIES_SCATTER_H

#include "viewers/nibble/sample/values.h"
#include "viewers/nibble/series/reduce.h"

/* How many columns of half a pixel the canvas has. */
size_t scatter_columns(const struct canvas *c);

/*
 * Of each column the first, the last, the least and the greatest value, and those that light a
 * pixel of half the canvas' size which none before them lit; in order of time. Values with their
 * times.
 */
struct curve *scatter_drawn(const struct values *p, const struct windows *columns,
			     const struct canvas *c, struct dimension d);

#endif
