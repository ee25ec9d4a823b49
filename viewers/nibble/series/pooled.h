/* The series that are made of values in no order: distributions, and points as they are drawn. */
#ifndef GLIMPSE_NIBBLE_SERIES_POOLED_H
#define GLIMPSE_NIBBLE_SERIES_POOLED_H

#include "viewers/nibble/sample/values.h"
#include "viewers/nibble/series/evaluate.h"

/* Whether a source's series is one of them: hist, cdf, heat; time and value if they are to be drawn
 * of n values. */
bool source_needs_values(const struct evaluation *v, const struct node *n, size_t values);
/* The windows that it needs the values in; the caller's. */
struct windows source_value_windows(const struct evaluation *v, const struct node *n);
struct curve *values_curve(const struct evaluation *v, const struct node *n, const struct values *p,
			     const struct windows *windows);

/*
 * Whether an expression only shifts and stretches the points of one source: what is to be drawn of
 * these is then what is to be drawn of it.
 */
bool source_is_scaled(const struct evaluation *v, const struct node *n);

#endif
