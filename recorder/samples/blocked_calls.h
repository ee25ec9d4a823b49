/*
 * Looks at a blocked thread: whether it waits for a futex, without a time limit, by a call
 * that no probe logs. The C library's own locks make such calls: those of malloc()'s arenas, of a
 * FILE and of the dynamic linker; and all locks of a program without probes. Nothing is stopped:
 * the result is of one wait only if the thread did not run meanwhile.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_BLOCKED_CALLS_H
#define GLIMPSE_RECORDER_SAMPLES_BLOCKED_CALLS_H

#include "recorder/scheduler/blocked_call.h"

/* The stacks have numbers while the probe samples is open. */
blocked_call_reader blocked_call_read;

#endif
