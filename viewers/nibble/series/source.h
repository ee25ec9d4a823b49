/* Computes the curves of functions of the trace: count(E), mean(I.time), hist(E.seq), ... */
#ifndef GLIMPSE_NIBBLE_SERIES_SOURCE_H
#define GLIMPSE_NIBBLE_SERIES_SOURCE_H

#include "viewers/nibble/sample/evaluation.h"
#include "viewers/nibble/series/curve.h"

/*
 * Returns one curve, or with "per" one for each member. A selection without an event is reported to
 * v->diag, at the node's place.
 */
struct family source_family(struct evaluation *v, const struct node *n);

/* Returns what the axis calls a source's values: "events/s". */
const char *source_quantity(const struct node *n);
/*
 * Reports to v->diag that nothing is selected, and returns false: unless there is any, or the user
 * allows it.
 */
bool source_check_any(struct evaluation *v, const struct node *n, bool any);

/*
 * Tests whether a source's curve is made of n values in no order: hist, cdf, heat; time and value
 * if they are only drawn.
 */
bool source_needs_values(const struct evaluation *v, const struct node *n, size_t values);
/* Returns the windows in which it needs the values; the caller frees them. */
struct windows source_value_windows(const struct evaluation *v, const struct node *n);
/*
 * Tests whether an expression only shifts and stretches the points of one source: the points drawn
 * for the source then suffice for the expression.
 */
bool source_is_scaled(const struct evaluation *v, const struct node *n);

#endif
