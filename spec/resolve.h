/* From syntax to a specification: names, events, intervals, assertions. */
#ifndef GLIMPSE_SPEC_RESOLVE_H
#define GLIMPSE_SPEC_RESOLVE_H

#include "spec/load.h"
#include "spec/spec.h"

/* Fills in a specification from what was loaded, and reports all errors to diag. */
void spec_resolve(struct spec *s, const struct load *load, struct diag *diag);

#endif
