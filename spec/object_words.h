/* Resolves what the objects of waits are called: object "Mutex" in "std::sync::Mutex*". */
#ifndef GLIMPSE_SPEC_OBJECT_WORDS_H
#define GLIMPSE_SPEC_OBJECT_WORDS_H

#include "spec/resolve_context.h"

void object_words_resolve(struct resolve_context *r);

#endif
