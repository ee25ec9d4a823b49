/* Rings: tails of which only the newest blocks are kept. */
#ifndef GLIMPSE_TRACE_LOG_RING_H
#define GLIMPSE_TRACE_LOG_RING_H

#include "trace/log/tail.h"
#include <stddef.h>

/*
 * Puts the records of the ring's blocks, which t->bytes holds, one behind the other in the order of writing. Blocks that
 * the program has begun to overwrite since they were read (from fd, where the first begins at start) are left out. False:
 * no memory.
 */
bool ring_unroll(struct tail *t, size_t block, uint64_t head, int fd, uint64_t start);

#endif
