/* Threads: open their logs with their first event, and end them with the thread. */
#ifndef GLIMPSE_RUNTIME_THREAD_H
#define GLIMPSE_RUNTIME_THREAD_H

#include "runtime/thread_tails.h"

/*
 * Returns the calling thread's tail that no event is at work in, opened if there is none yet.
 * `pointer` is the stack pointer of the program's function that called. Returns NULL if nothing can
 * be logged now.
 */
struct tail *gl_thread_idle(uintptr_t pointer);

#endif
