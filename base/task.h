/*
 * Tracks long work that may be cancelled. The worker counts its steps and asks whether to continue;
 * the result of a cancelled task is incomplete and must be discarded.
 */
#ifndef GLIMPSE_BASE_TASK_H
#define GLIMPSE_BASE_TASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct task {
	atomic_bool stopped;
	atomic_uint_least64_t done, all; /* steps, of any size */
	/*
	 * Its parts are not stopped half-way: whoever began them asks between two of them
	 * (task_cancelled()).
	 */
	bool whole_parts;
};

/* The task of this thread, and of the threads that parallel_for() starts for it. NULL: none. */
extern _Thread_local struct task *task_current;

/* Adds n steps to those that are to be done. */
static inline void task_plan(uint64_t n)
{
	if (task_current)
		task_current->all += n;
}

static inline bool task_cancelled(void)
{
	return task_current && atomic_load_explicit(&task_current->stopped, memory_order_relaxed);
}

static inline bool task_stopped(void)
{
	return task_cancelled() && !task_current->whole_parts;
}

/* Adds n steps to those that are done. Returns false if the task has been cancelled. */
static inline bool task_step(uint64_t n)
{
	if (task_current)
		atomic_fetch_add_explicit(&task_current->done, n, memory_order_relaxed);
	return !task_stopped();
}

#endif
