/*
 * Finds the call stacks of a trace. In events a stack is a number; events of a type with a stack
 * and a caller (see spec/spec.h) define the number.
 */
#ifndef GLIMPSE_ANALYSIS_STACKS_CALL_PATHS_H
#define GLIMPSE_ANALYSIS_STACKS_CALL_PATHS_H

#include "trace/trace.h"

struct call_paths;

/* The innermost code address of a stack, and the number of the stack without it; 0: none. */
struct frame {
	uint64_t address, parent;
	int64_t time; /* when it was logged */
	/* that, and its record; thread: index in the trace's threads */
	const struct event_type *type;
	const unsigned char *record;
	uint32_t thread;
	bool low; /* of the address the low 32 bits are known */
};

struct call_paths *call_paths_make(const struct trace *t);
void call_paths_free(struct call_paths *p);

/*
 * Gives the innermost frame of a stack in a process (index in the trace's processes); false: it is
 * not known. Loops in the logs end after as many frames as a stack can have.
 */
bool call_path_frame(const struct call_paths *p, size_t process, uint64_t stack, struct frame *f);

enum { CALL_PATH_MOST = 1024 }; /* frames that are followed */

/*
 * Returns a code address as "function (file.c:41)", as far as that is known, for the caller to
 * free.
 */
char *code_name(const struct trace *t, size_t process, uint64_t address, bool low, int64_t time);

#endif
