/*
 * Finds which functions the threads of a trace ran in at each time: for flame graphs, and for the
 * icicles of threads with sampled stacks. It is made in the background, as that takes seconds for a
 * large trace, and held by whoever uses it: a trace that grows gets a newer one.
 */
#ifndef GLIMPSE_GORGE_INDEX_STACK_TIMES_H
#define GLIMPSE_GORGE_INDEX_STACK_TIMES_H

#include "analysis/flame/time_window.h"
#include "viewers/gorge/index/trace_index.h"

/* Of a thread whose stack was sampled: frames, counted from the outermost one. */
struct stack_depth {
	unsigned depth;  /* of its deepest path; 0: it was not sampled */
	unsigned usual;  /* nearly all paths have no more */
	unsigned common; /* nearly all paths have these alike */
	/* that of most is in no run-time library, and those before it are; 1: there is none */
	unsigned first;
	/*
	 * The row that says most: below what nearly all paths have alike, if most of these frames
	 * are the program's own; or the last of what they have alike, or the first one.
	 */
	unsigned telling;
};

struct stack_times {
	atomic_uint holders;
	struct generation *generation;
	struct time_window *window;
	struct stack_depth *threads; /* as the trace's threads */
};

/*
 * Returns the stacks of the index's trace, to be released; NULL if they are not known within some
 * milliseconds. patience < 0: waits for the newest. Otherwise those of an earlier state of a trace
 * that grows will do. *pending: a newer one is being made; or NULL. (viewers/gorge/logs,
 * viewers/gorge/wasm)
 */
struct stack_times *trace_index_stacks(struct trace_index *t, long patience, bool *pending);
/* Returns the depths of a trace's threads in a window of it; to be freed. */
struct stack_depth *stack_depths_of(const struct trace *t, const struct time_window *window);
struct stack_times *stack_times_hold(struct stack_times *s);
/* Releases it; NULL is nothing. */
void stack_times_release(struct stack_times *s);
/* Ends what is being made, for a trace index that is freed. */
void trace_index_forget_stacks(struct trace_index *t);

#endif
