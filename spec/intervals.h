/* Resolves intervals. */
#ifndef GLIMPSE_SPEC_INTERVALS_H
#define GLIMPSE_SPEC_INTERVALS_H

#include "spec/resolver.h"

/* Resolves the ends, looks, conditions and metrics of all intervals. */
void intervals_resolve(struct resolver *r);

#endif
