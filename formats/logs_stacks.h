/*
 * Call stacks by the names of functions, and samples of them, as events of the recorder's
 * specification "samples". A stack is a path in a tree, whose nodes have numbers.
 */
#ifndef GLIMPSE_FORMATS_LOGS_STACKS_H
#define GLIMPSE_FORMATS_LOGS_STACKS_H

#include "base/hash.h"
#include "formats/logs.h"

struct stacks {
	struct logs *logs;
	const struct logs_event *frame, *sample;
	struct hash_table nodes;
	uint32_t next;
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

#endif
