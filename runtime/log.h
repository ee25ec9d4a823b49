/* Logs: creating their files. */
#ifndef GLIMPSE_RUNTIME_LOG_H
#define GLIMPSE_RUNTIME_LOG_H

#include "runtime/tail.h"

/*
 * Creates the calling thread's log of a level, and returns its tail. Level 0 is the thread's own,
 * log.N; level L, for signal handlers that interrupt an event, is log.N.L beside it. `outer` is
 * the thread's own tail when the level is not 0. NULL after a message. Inside a guard, under the
 * lock.
 */
struct tail *gl_log_open(uint32_t level, const struct tail *outer);

#endif
