/* Resolves hypotheses and axes, which `glimpse why` searches. */
#ifndef GLIMPSE_SPEC_HYPOTHESES_H
#define GLIMPSE_SPEC_HYPOTHESES_H

#include "spec/resolve_context.h"

/* After all events and intervals. */
void hypotheses_resolve(struct resolve_context *r);

#endif
