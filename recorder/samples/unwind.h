/* Unwinds call stacks from registers and a copy of the top of a stack. */
#ifndef GLIMPSE_RECORDER_SAMPLES_UNWIND_H
#define GLIMPSE_RECORDER_SAMPLES_UNWIND_H

#include "recorder/samples/spaces.h"

enum { UNWIND_MOST = 512 }; /* frames */

/* A thread as it was interrupted. */
struct stack_copy {
	uint64_t pc, sp, fp;
	const unsigned char *stack; /* what lay from sp on */
	uint64_t size;
};

/*
 * Stores the frames of a thread, innermost first: the instruction, of callers one within the call.
 * Returns how many. *whole: the last one is that with which the thread began.
 */
unsigned unwind(struct space *s, const struct stack_copy *t, uint64_t frames[UNWIND_MOST],
		bool *whole);

#endif
