/* Resolves hypotheses and axes: what `glimpse why` searches with, and along. */
#ifndef GLIMPSE_SPEC_HYPOTHESES_H
#define GLIMPSE_SPEC_HYPOTHESES_H

#include "spec/resolver.h"

/* After all events and intervals. */
void hypotheses_resolve(struct resolver *r);

#endif
