/*
 * From a full tail to the log: appends what a tail holds to its log's file, and empties the tail.
 * Small logs go through the page cache. A busy thread gets a large tail with a staging buffer:
 * full tails are copied there and written to the disk while the thread fills the tail again. A
 * tail that gets full before the staging buffer is free is written through the page cache, so
 * that the thread does not wait for a slow disk. Not for rings. Call these functions inside a
 * guard.
 */
#ifndef GLIMPSE_RUNTIME_APPEND_H
#define GLIMPSE_RUNTIME_APPEND_H

#include "runtime/tail.h"

/* Begins a log in a tail, as gl_tail_reset() does, with the room that retention gives it. */
void gl_append_begin(struct tail *t, uint32_t level, uint64_t base, uint32_t held);

/*
 * Empties a tail for an event of `need` bytes. Returns the tail to go on with, perhaps a large one,
 * or NULL if there is no room.
 */
struct tail *gl_append_make_room(struct tail *t, uint32_t need);

/* Writes a note to the tail. Returns false if there is no room for it. */
bool gl_append_note(struct tail *t, const void *note, uint32_t size);

/*
 * Ends the log, in the container or in a file of its own. Returns false if it could not be
 * appended: the tail then keeps the rest. Under the lock.
 */
bool gl_append_finish(struct tail *t);

#endif
