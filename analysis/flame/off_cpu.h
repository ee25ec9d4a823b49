/*
 * Finds what each thread waits for at each time: the innermost of its intervals of kind "wait" and
 * "io", with its call stack, and whether it could run. They count while it does not run.
 */
#ifndef GLIMPSE_ANALYSIS_FLAME_OFF_CPU_H
#define GLIMPSE_ANALYSIS_FLAME_OFF_CPU_H

#include "analysis/calls/calls.h"
#include "analysis/stacks/wait_stacks.h"
#include "base/array.h"
#include "base/hash.h"
#include <pthread.h>

/* Of instances that are shown as one. The trace keeps the texts. */
struct off_cpu_wait {
	const char *name; /* "LockWait queue_lock" */
	const char *interval;
	const char *place; /* where the program waits, "work (pool.c:41)"; or NULL */
	const char *function, *line, *file; /* of it: "work", "pool.c:41", "pool.c"; or NULL */
	uint32_t stack; /* in the stacks; up to WAIT_STACK_CUT: it has no frames */
};

struct off_cpu {
	const struct trace *trace;
	struct call_pauses *threads; /* as the trace's threads */
	VECTOR(struct off_cpu_wait) waits;
	struct wait_stacks stacks;
	struct hash_table known;       /* by interval, object and place; these have no stacks */
	struct hash_table with_stacks; /* by one of those and the stack */
	pthread_mutex_t mutex;         /* of the latter */
};

/* A reason is a wait and whether the thread was ready; wait 0: none. */
static inline uint32_t reason_of(size_t wait, bool ready)
{
	return (uint32_t)wait << 1 | ready;
}
static inline size_t reason_wait(uint32_t reason)
{
	return reason >> 1;
}
static inline bool reason_ready(uint32_t reason)
{
	return reason & 1;
}

void off_cpu_make(struct off_cpu *p, struct trace *t);
void off_cpu_free(struct off_cpu *p);

#endif
