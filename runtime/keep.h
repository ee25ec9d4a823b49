/* GLIMPSE_KEEP: how much of a run is kept. */
#ifndef GLIMPSE_RUNTIME_KEEP_H
#define GLIMPSE_RUNTIME_KEEP_H

#include "runtime/tail.h"

/* Bytes that a new log may have; UINT64_MAX: no limit. */
uint64_t gl_keep_most(void);

/* Bytes that the tail's log may still have beyond its file, at most `room`. */
uint32_t gl_keep_room(const struct tail *t, uint32_t room);

#endif
