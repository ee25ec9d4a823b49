/*
 * The container: the file `logs`, which takes the logs of ended threads if GLIMPSE_LOGS=pooled, so
 * that threads by the hundred thousand do not leave as many files. A log that never filled a small
 * tail goes there, all of it in one record; a larger one has a file of its own. Call these
 * functions inside a guard and under the lock.
 */
#ifndef GLIMPSE_RUNTIME_CONTAINER_H
#define GLIMPSE_RUNTIME_CONTAINER_H

#include "runtime/tail.h"

/* Sets from GLIMPSE_LOGS (NULL: apart) whether a run that begins has a container. */
void gl_container_choose(const char *setting);
/* Returns whether the run has a container. */
bool gl_container_wanted(void);

/*
 * Writes a log that is all in a tail to the container. Returns false with errno set if the log is
 * not there; the tail has it in either case.
 */
bool gl_container_put(struct tail *t);
/*
 * Copies a log that ended from its file to the container. Returns false if the log is not there:
 * it is not small, or there is no container.
 */
bool gl_container_copy(struct tail *t);

/* Forgets the container in a forked child, since it is the parent's. */
void gl_container_forget(void);

#endif
