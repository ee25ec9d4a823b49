/*
 * Finds which threads are of one process if the trace lacks the calls that made them, as when
 * strace was attached. Only threads of one process wake each other by private futexes.
 */
#ifndef GLIMPSE_FORMATS_STRACE_PROCESSES_H
#define GLIMPSE_FORMATS_STRACE_PROCESSES_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/strace_lines.h"

struct strace_member {
	uint32_t pid;
	size_t same;      /* another one of its process; itself: it represents that */
	uint64_t address; /* of the private futex that it waits for; 0: none */
	size_t waker;     /* who woke that futex since, or itself */
};

/* Zeros are no threads. */
struct strace_processes {
	VECTOR(struct strace_member) members;
	struct hash_table by_pid;
};

/* Takes a line, in the order of the file. */
void strace_processes_take(struct strace_processes *p, const struct strace_line *l);
/* Returns the least number of the threads of a thread's process; if it is alone, its own. */
uint32_t strace_processes_find(const struct strace_processes *p, uint32_t pid);
void strace_processes_free(struct strace_processes *p);

#endif
