/* Logs the call stacks of waits in the name of the thread that waits. */
#ifndef GLIMPSE_RECORDER_SAMPLES_STACK_LOG_H
#define GLIMPSE_RECORDER_SAMPLES_STACK_LOG_H

#include "recorder/samples/unwind.h"

/*
 * Returns the number of a thread's call stack, whose new frames it logs. 0: it is not known.
 */
uint32_t stack_log(uint32_t pid, uint32_t tid, int64_t time, const struct stack_copy *copy);

/* The same of frames, one at least, that are unwound; whole: the last one is the outermost. */
uint32_t stack_frames_log(const struct space *space, uint32_t tid, int64_t time,
			  uint64_t frames[UNWIND_MOST + 1], unsigned n, bool whole);

#endif
