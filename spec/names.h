/* Suggests the nearest existing names for names that do not exist. */
#ifndef GLIMPSE_SPEC_NAMES_H
#define GLIMPSE_SPEC_NAMES_H

#include "grammar/diag.h"
#include "spec/spec.h"

/* Return the nearest name in a specification, an event or an interval; NULL if none is near. */
const char *nearest_event(const struct spec *s, const char *name);
const char *nearest_interval(const struct spec *s, const char *name);
const char *nearest_attribute(const struct event_type *e, const char *name);
const char *nearest_metric(const struct interval *i, const char *name);

/* Returns whether every event has an attribute of this name: time, thread, owner. */
bool is_intrinsic(const char *name);

#endif
