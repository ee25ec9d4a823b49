/*
 * Rings: tails that keep a thread's newest events. Their records stand in blocks, which are
 * filled in turn and overwritten when all are full. A ring begins with one block and grows to its
 * size. The log's file has only its header and notes until the thread ends; then the blocks are
 * appended to it, the oldest first.
 */
#ifndef GLIMPSE_RUNTIME_RING_H
#define GLIMPSE_RUNTIME_RING_H

#include "runtime/tail.h"

/* Makes the tail an empty ring. */
void gl_ring_begin(struct tail *t);
/* Goes to the next block, for an event of `need` bytes. False when no block could hold it. */
bool gl_ring_turn(struct tail *t, uint32_t need);
/* Writes a note to the log's file. */
bool gl_ring_note(struct tail *t, const void *note, uint32_t size);
/*
 * Writes what the ring holds to a file, from *offset, which moves on, after a note of what was
 * lost before it. Another thread may be writing to the ring: what it overwrites meanwhile is left
 * out, with all that is older. False with errno.
 */
bool gl_ring_copy(const struct tail *t, int fd, uint64_t *offset);
/*
 * Appends everything to the log. False when that is not possible: the ring stays for the readers.
 */
bool gl_ring_finish(struct tail *t);

#endif
