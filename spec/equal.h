/* Compares expressions, events and intervals, apart from aliases, styles and places. */
#ifndef GLIMPSE_SPEC_EQUAL_H
#define GLIMPSE_SPEC_EQUAL_H

#include "spec/spec.h"

/* Returns whether two expressions are equal as trees; then they always have the same value. */
bool expr_equal(const struct expr *a, const struct expr *b);

/* Returns whether two events have the same attributes, in the same order. */
bool attributes_equal(const struct event_type *a, const struct event_type *b);
/*
 * Returns whether both have the same event types in the same order, shifted by the same
 * attributes.
 */
bool events_equal(const struct spec *a, const struct spec *b);
/*
 * Returns whether two intervals have the same instances in every trace. The events of their
 * specifications must be equal.
 */
bool intervals_equal(const struct interval *a, const struct interval *b);

#endif
