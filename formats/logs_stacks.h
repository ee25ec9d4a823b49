/*
 * Call stacks by the names of functions, and samples of them, as events of the recorder's
 * specification "samples". A stack is a path in a tree, whose nodes have numbers.
 */
#ifndef GLIMPSE_FORMATS_LOGS_STACKS_H
#define GLIMPSE_FORMATS_LOGS_STACKS_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/import.h"

/* A sample, for the time that its thread ran. */
struct stacks_run {
	struct logs_thread *thread;
	size_t place; /* among all, for samples of one time */
	int64_t time, period;
};

struct stacks {
	struct logs *logs;
	const struct logs_event *frame, *sample;
	struct hash_table nodes;
	uint32_t next;
	VECTOR(struct stacks_run) runs;
};

void stacks_begin(struct stacks *s, struct logs *l);
void stacks_end(struct stacks *s);

/*
 * Returns the number of the stack that goes on from `parent` (0: the outermost function) to a
 * function, by its name; NULL: the stack is cut off here. A new one is logged in the thread that
 * met it.
 */
uint32_t stacks_add(struct stacks *s, struct logs_thread *t, int64_t time, uint32_t parent,
		    const char *function);
/* Logs that a thread was running with a stack. */
void stacks_sample(struct stacks *s, struct logs_thread *t, int64_t time, uint32_t stack);
/*
 * Says of the same sample that the thread ran for `period` ns up to it, for stacks_states(); 0: the
 * format does not say how long.
 */
void stacks_ran(struct stacks *s, struct logs_thread *t, int64_t time, int64_t period);
/*
 * Logs when the threads ran, as their samples say: each for its period up to its time. Between two
 * samples farther apart it did not run: nobody knows why or where, so it is blocked
 * outside of all functions, by a sample of stack 0. Samples without a
 * period have the median distance between samples of one thread. Returns that, if it was used, or
 * 0. Only for traces that do not say when threads ran; call it once, before stacks_end().
 */
int64_t stacks_states(struct stacks *s);
/* Warns that n samples ("samples of cycles") count as the median, if stacks_states() used it. */
void stacks_say(struct import_input *in, const char *samples, int64_t median, uint64_t n);

#endif
