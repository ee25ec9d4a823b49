/*
 * Step curves of very many steps, and what is computed of such curves alone: count(A) - count(B),
 * open(I) / 4. The range is cut into more pieces than a picture has pixels; each is swept exactly,
 * on all processors, and what is drawn of it stays: the first, the last, the least and the
 * greatest.
 */
#ifndef GLIMPSE_NIBBLE_SERIES_STEP_SWEEP_H
#define GLIMPSE_NIBBLE_SERIES_STEP_SWEEP_H

#include "viewers/nibble/series/evaluate.h"

/* Whether the expression is such a curve, is only to be drawn, and has very many steps. */
bool step_sweep_fits(const struct evaluation *v, const struct node *n);

/* The curve as it is drawn, without its title. */
struct curve *step_sweep_drawn(struct evaluation *v, const struct node *n);

#endif
