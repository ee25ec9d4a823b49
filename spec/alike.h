/* What two specifications have in common, whatever is said of names, looks and places. */
#ifndef GLIMPSE_SPEC_ALIKE_H
#define GLIMPSE_SPEC_ALIKE_H

#include "spec/spec.h"

/* The same event types in the same order, shifted by the same attributes. */
bool events_alike(const struct spec *a, const struct spec *b);
/* Of specifications whose events are: whether the intervals have the same instances, in every trace. */
bool intervals_alike(const struct interval *a, const struct interval *b);

#endif
