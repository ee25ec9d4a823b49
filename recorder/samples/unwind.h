/* Unwinds call stacks from registers and a copy of the top of a stack. */
#ifndef GLIMPSE_RECORDER_SAMPLES_UNWIND_H
#define GLIMPSE_RECORDER_SAMPLES_UNWIND_H

#include "recorder/samples/spaces.h"
#include <linux/perf_event.h>

enum { UNWIND_MOST = 512 }; /* frames */

/* A thread as it was interrupted. */
struct stack_copy {
	uint64_t pc, sp, fp;
	const unsigned char *stack; /* what lay from sp on */
	uint64_t size;
};

/* Asks the kernel for samples with the registers and the top of the user's stack. */
void stack_copy_ask(struct perf_event_attr *a, uint32_t bytes);
/*
 * Sets the thread as it was interrupted, from the user's part of a sample, which stays where it is;
 * false: there is none.
 */
bool stack_copy_read(struct stack_copy *t, const unsigned char *at);

/*
 * Stores the frames of a thread, innermost first: the instruction, of callers one within the call.
 * Returns how many. *whole: the last one is that with which the thread began.
 */
unsigned unwind(struct space *s, const struct stack_copy *t, uint64_t frames[UNWIND_MOST],
		bool *whole);

#endif
