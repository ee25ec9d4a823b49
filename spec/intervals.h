/* Resolves intervals. */
#ifndef GLIMPSE_SPEC_INTERVALS_H
#define GLIMPSE_SPEC_INTERVALS_H

#include "spec/resolve_context.h"

/* Resolves the ends, looks, conditions and metrics of all intervals. */
void intervals_resolve(struct resolve_context *r);

#endif
