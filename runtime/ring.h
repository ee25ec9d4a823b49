/*
 * Rings: tails that keep a thread's newest events. Their records are in blocks, which are filled
 * in turn and overwritten once all are full. A ring begins with one block and grows to its size.
 * The log's file has only its header and notes until the log ends; then the blocks are appended
 * to the file, the oldest first.
 */
#ifndef GLIMPSE_RUNTIME_RING_H
#define GLIMPSE_RUNTIME_RING_H

#include "runtime/tail.h"

/* Begins a log in a tail as an empty ring. The log's file ends at `base`. */
void gl_ring_begin(struct tail *t, uint32_t level, uint64_t base);
/*
 * Goes on to the next block, for an event of `need` bytes. Returns false if no block can hold the
 * event.
 */
bool gl_ring_turn(struct tail *t, uint32_t need);
/* Appends a note to the log's file. */
bool gl_ring_note(struct tail *t, const void *note, uint32_t size);
/*
 * Writes the ring's records to a file at *offset, after a note of the events lost before them, and
 * moves *offset to their end. Another thread may be writing to the ring: what it overwrites
 * meanwhile is left out, with all that is older. Returns false with errno set if that failed.
 */
bool gl_ring_copy(const struct tail *t, int fd, uint64_t *offset);
/* Ends the log. Returns false if the records could not be appended: the ring then keeps them. */
bool gl_ring_finish(struct tail *t);

#endif
