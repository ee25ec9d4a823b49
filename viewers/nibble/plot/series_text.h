/* Writes every value of the curves, exactly, for other programs. */
#ifndef GLIMPSE_NIBBLE_PLOT_SERIES_TEXT_H
#define GLIMPSE_NIBBLE_PLOT_SERIES_TEXT_H

#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"
#include <stdio.h>

/*
 * Writes one row for each value: series,from,to,value. The value holds from "from" (included) to
 * "to"; of a point the two are equal, of a distribution they are values. A value that does not
 * exist is empty.
 */
void curves_write_csv(FILE *out, const struct family *families, size_t n, struct limits r);
void curves_write_json(FILE *out, const struct family *families, size_t n, struct limits r);

#endif
