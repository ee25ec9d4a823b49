/*
 * The files tail.K, and the tails in them. Small tails stand in one file by the dozen, so that a
 * thread's first event creates no file; a large one and a ring have a file each. Everything here
 * runs inside a guard and under the lock.
 */
#ifndef GLIMPSE_RUNTIME_POOL_H
#define GLIMPSE_RUNTIME_POOL_H

#include "runtime/tail.h"

/* A tail that no log has: a free one, or a new one. NULL with errno. */
struct tail *gl_pool_take(enum tail_kind kind);
/* Takes it back, and marks it as free for readers. */
void gl_pool_give(struct tail *t);

/* All tails, free ones included: the one after t, or the first for NULL. NULL: no more. */
struct tail *gl_pool_next(const struct tail *t);

/* Makes sure that a ring's file has blocks for so many bytes of records. */
bool gl_pool_reserve(const struct tail *t, uint32_t size);

/* Removes the files all of whose tails are free, at the end of the process. */
void gl_pool_remove_free(void);
/*
 * In a forked child: the tails are the parent's. Memory of the child's own takes the place of
 * those that the calling thread may be writing to.
 */
void gl_pool_forget(void);

#endif
