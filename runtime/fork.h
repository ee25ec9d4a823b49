/*
 * Forks: a child logs to a directory of its own. fork() calls handlers that are registered here;
 * wrappers of other calls that fork call them (glimpse.h). A child that neither told of is found by
 * a page of memory that the kernel clears in children.
 */
#ifndef GLIMPSE_RUNTIME_FORK_H
#define GLIMPSE_RUNTIME_FORK_H

#include <stdbool.h>

/* Registers the handlers of fork(), once. */
void gl_fork_prepare(void);

/* From now on gl_fork_noticed() knows children of this process. Inside a guard, under the lock. */
void gl_fork_watch(void);

/*
 * Returns whether this is a child whose fork no handler saw. It has then been made what
 * fork_child() makes of it, and no tail or id of an event that the caller knows is valid any more.
 * If another thread was inside the runtime at the fork, the child logs nothing. Call it outside
 * guards.
 */
bool gl_fork_noticed(void);

#endif
