/*
 * The shuttle of a busy thread's tail: memory from which what the tail held goes to the disk while
 * the thread fills the tail again. When it is still under way as the tail gets full, the tail is
 * written through the page cache: a disk that is slower than the thread does not hold it up.
 */
#ifndef GLIMPSE_RUNTIME_SHUTTLE_H
#define GLIMPSE_RUNTIME_SHUTTLE_H

#include "runtime/tail.h"

/* The tail gets one, and belongs at hot.base; size: of the tail. */
void gl_shuttle_begin(struct tail *t, uint32_t size);

/* Sends the first `size` bytes of the tail off. False when they must be written otherwise. */
bool gl_shuttle_send(struct tail *t, uint32_t size);

/* Waits until nothing is under way. False when that could not be written at all. */
bool gl_shuttle_settle(struct tail *t);

#endif
