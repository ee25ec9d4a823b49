/* What expressions and specifications have in common, apart from aliases, looks and places. */
#ifndef GLIMPSE_SPEC_ALIKE_H
#define GLIMPSE_SPEC_ALIKE_H

#include "spec/spec.h"

/* Returns whether two expressions are written alike; then they always have the same value. */
bool expr_alike(const struct expr *a, const struct expr *b);

/*
 * Returns whether both have the same event types in the same order, shifted by the same
 * attributes.
 */
bool events_alike(const struct spec *a, const struct spec *b);
/*
 * Returns whether two intervals have the same instances in every trace. The events of their
 * specifications must be alike.
 */
bool intervals_alike(const struct interval *a, const struct interval *b);

#endif
