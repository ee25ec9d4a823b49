/*
 * Finds processes in which nothing can go on, until they are killed or the trace ends. Each
 * thread is blocked in a wait that only a thread of its own process ends (event FutexWait). A
 * process with one thread that waits for anything else, as a server for its clients, is not stuck.
 */
#ifndef GLIMPSE_ANALYSIS_LOCKS_STUCK_H
#define GLIMPSE_ANALYSIS_LOCKS_STUCK_H

#include "base/array.h"
#include "trace/trace.h"

struct stuck_thread {
	uint32_t thread; /* index in the trace's threads */
	int64_t since;   /* when its last wait began */
	char *place;     /* "job() (p.cc:34), called by worker()"; owned. NULL: not known */
};

struct stuck {
	VECTOR(struct stuck_thread) threads; /* in the order of the trace's threads */
};

void stuck_find(struct stuck *s, struct trace *t);
void stuck_free(struct stuck *s);
/* Returns the thread's entry, or NULL. */
const struct stuck_thread *stuck_thread_of(const struct stuck *s, uint32_t thread);
/* Returns since when all threads of a process (index in the trace's processes) are stuck. */
int64_t stuck_since(const struct stuck *s, const struct trace *t, uint32_t process);

#endif
