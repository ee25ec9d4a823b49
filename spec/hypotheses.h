/* Resolves hypotheses and axes: what `glimpse why` searches with, and along. */
#ifndef GLIMPSE_SPEC_HYPOTHESES_H
#define GLIMPSE_SPEC_HYPOTHESES_H

#include "spec/resolve_context.h"

/* After all events and intervals. */
void hypotheses_resolve(struct resolve_context *r);

#endif
