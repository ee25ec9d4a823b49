/* Gets the call stacks of the threads of a running process, with the names of their functions. */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_STACKS_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_STACKS_H

#include "recorder/live_process/live_threads.h"
#include <stddef.h>

/* A function in a stack; the texts are the stacks' own. */
struct live_frame {
	const char *function; /* "Queue::get", "[libc.so.6]" */
	const char *text;     /* with the line or the offset */
	uint64_t address;     /* of the code; functions that are inlined there have the same */
	const char *module;   /* the name of its file; "": not known */
	bool library;         /* of the language or the system, not of the program */
};

struct live_stack {
	VECTOR(const struct live_frame *) frames; /* innermost first */
	bool whole;                               /* up to the thread's first function */
	bool known;                               /* there is a stack */
	uint64_t sp;                              /* where it was in memory when it was read */
	int64_t stopped;  /* for how long the thread was stopped for it, ns; 0: not at all */
	const char *lack; /* why frames are missing; NULL: not known */
};

struct live_stacks;

/*
 * Reads the stacks of all threads, and then their names. A thread that is blocked is not stopped,
 * unless its stack cannot be unwound without its registers. A thread that went on is read again.
 * The caller frees the result.
 */
struct live_stacks *live_stacks_read(struct live_threads *t);
void live_stacks_free(struct live_stacks *s);

/* Returns the stack of the i-th thread. */
const struct live_stack *live_stack(const struct live_stacks *s, size_t i);
/*
 * Returns the name of the variable in which an address of the process is, with its members, to be
 * freed; NULL: it is in none that has a name.
 */
char *live_variable(const struct live_stacks *s, uint64_t address);
/* Returns whether an address is in the file of a program or library, such as that of a variable. */
bool live_is_in_file(const struct live_stacks *s, uint64_t address);
/* Returns where the function at an address begins; 0: not known. */
uint64_t live_function_begin(const struct live_stacks *s, uint64_t address);

#endif
