/* GLIMPSE_KEEP: how much of a run is kept. */
#ifndef GLIMPSE_RUNTIME_KEEP_H
#define GLIMPSE_RUNTIME_KEEP_H

#include "runtime/tail.h"

/* Bytes that a new log may have; UINT64_MAX: no limit. */
uint64_t gl_keep_most(void);

/* Where the head of a tail has to stop now. */
uint32_t gl_keep_limit(const struct tail *t);

#endif
