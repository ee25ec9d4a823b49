/*
 * Step curves of very many steps, and values that are computed from such curves alone: count(A) -
 * count(B), open(I) / 4. The range is cut into more pieces than a picture has pixels. Each piece is
 * swept exactly, on all processors, and only the values that are drawn are kept: the first, the
 * last, the least and the greatest.
 */
#ifndef GLIMPSE_NIBBLE_SERIES_STEP_SWEEP_H
#define GLIMPSE_NIBBLE_SERIES_STEP_SWEEP_H

#include "viewers/nibble/sample/evaluation.h"
#include "viewers/nibble/series/curve.h"

/* Into how many pieces the range is cut; a tally for a sweep has a window for each. */
enum { STEP_PIECES = 1 << 14 };

/* Tests whether the expression is such a curve, is only drawn, and has very many steps. */
bool step_sweep_fits(const struct evaluation *v, const struct node *n);

/* Returns the curve as it is drawn, without its title. */
struct curve *step_sweep_drawn(struct evaluation *v, const struct node *n);

/* The same for the histogram of such an expression, which is exact, also if nothing is drawn. */
bool step_sweep_counts(const struct evaluation *v, const struct node *n);
struct curve *step_sweep_histogram(struct evaluation *v, const struct node *n, unsigned bins);

#endif
