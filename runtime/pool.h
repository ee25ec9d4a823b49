/*
 * The pool: the files tail.K, and the tails in them. Small tails share a file by the dozen, so
 * that a thread's first event creates no file; a large tail and a ring have a file each. Call
 * these functions inside a guard and under the lock.
 */
#ifndef GLIMPSE_RUNTIME_POOL_H
#define GLIMPSE_RUNTIME_POOL_H

#include "runtime/tail.h"

/* Returns a tail that no log has, a free one or a new one; or NULL with errno set. */
struct tail *gl_pool_take(enum tail_kind kind);
/* Frees a tail, and marks it as free for readers. */
void gl_pool_give(struct tail *t);

/* Returns the tail after `t`, or the first for NULL, free ones included; NULL after the last. */
struct tail *gl_pool_next(const struct tail *t);

/*
 * Makes sure that a ring's file has blocks for `size` bytes of records. Takes the lock itself.
 * Returns false if there is no room.
 */
bool gl_pool_reserve(const struct tail *t, uint32_t size);

/* Removes the files all of whose tails are free, at the end of the process. */
void gl_pool_remove_free(void);
/* Unlocks the memory of all tails, after the program has locked its own. */
void gl_pool_unlock(void);
/*
 * Forgets all tails in a forked child, since they are the parent's. Memory of the child's own
 * replaces those that the calling thread may be writing to.
 */
void gl_pool_forget(void);

#endif
