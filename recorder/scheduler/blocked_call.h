/*
 * A wait for a futex, as the probe samples reads it of a blocked thread: that probe numbers call
 * stacks.
 */
#ifndef GLIMPSE_RECORDER_SCHEDULER_BLOCKED_CALL_H
#define GLIMPSE_RECORDER_SCHEDULER_BLOCKED_CALL_H

#include <stdbool.h>
#include <stdint.h>

struct blocked_call {
	uint64_t word, code; /* the futex; the instruction */
	uint32_t stack;      /* number of the call stack */
};

/*
 * Returns false if the thread does anything else, or its stack is not known, or a probe logs the
 * wait.
 */
typedef bool blocked_call_reader(uint32_t pid, uint32_t tid, struct blocked_call *call);

#endif
