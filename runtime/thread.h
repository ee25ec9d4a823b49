/* Threads: which tail the calling thread writes to. */
#ifndef GLIMPSE_RUNTIME_THREAD_H
#define GLIMPSE_RUNTIME_THREAD_H

#include "runtime/tail.h"

/* Handlers that interrupt handlers that interrupt events: deeper ones lose theirs, counted. */
#define GL_LEVELS 8

/* Once: asks to be told when threads end. */
void gl_thread_prepare(void);

/*
 * The calling thread's tail that no event is at work in, opened when there is none; NULL: no
 * logging now.
 */
struct tail *gl_thread_idle(void);
/* The same when it is open, else NULL. */
struct tail *gl_thread_opened(void);

/* Ends the calling thread's log. Inside a guard, under the lock. */
void gl_thread_end(void);

/* The calling thread goes on in another tail. Inside a guard. */
void gl_thread_moved(const struct tail *from, struct tail *to);

/* Whether a tail is the calling thread's. */
bool gl_thread_owns(const struct tail *t);
/* In a forked child: the calling thread begins anew. */
void gl_thread_forked(void);

#endif
