/*
 * Says whether threads carry tasks that a run-time library moves between them, as Go's does with
 * goroutines. Such a task waits without its thread: what threads wait for is not what tasks do.
 */
#ifndef GLIMPSE_ANALYSIS_SAMPLES_MOVED_TASKS_H
#define GLIMPSE_ANALYSIS_SAMPLES_MOVED_TASKS_H

#include "analysis/samples/samples.h"

/* A library that moves tasks. */
struct task_mover {
	const char *name, *task; /* "Go", "goroutine" */
	const char *begin;       /* the outermost function of each task's stack, or its beginning */
};

/* Returns the library that has most of the samples of running threads; NULL: none. s: or NULL. */
const struct task_mover *task_mover_of(const struct samples *s);

#endif
