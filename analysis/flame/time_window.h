/*
 * Computes flame graphs of time windows: keeps for each thread and time its call, whether it ran,
 * and if not, what it waited for. Once made, a window's graph costs what is near its ends, and the
 * sums of the blocks between them.
 */
#ifndef GLIMPSE_ANALYSIS_FLAME_TIME_WINDOW_H
#define GLIMPSE_ANALYSIS_FLAME_TIME_WINDOW_H

#include "analysis/flame/flame.h"

/* Moments in a block: they are read at each end of a window. Tests make it small. */
extern unsigned time_window_block_moments;

struct time_window;
/*
 * Reads all of a trace, which outlives it. The trace may make event lists, for one caller a time.
 */
struct time_window *time_window_of(struct trace *t);
void time_window_free(struct time_window *l);

/* Returns the graph of the whole run; kind: FLAME_CPU or FLAME_OFF. It lasts as the window does. */
const struct flame *time_window_flame(const struct time_window *l, enum flame_kind kind);

/*
 * Returns what each node of that graph has in a part; to be freed. For any number of callers at a
 * time.
 */
struct flame_amounts *time_window_amounts(const struct time_window *l, enum flame_kind kind,
					  const struct flame_part *part);

/*
 * Calls visit for the stretches of a thread's time in [from, to], in their order, in which one of
 * the marked nodes is the one that time goes to.
 */
void time_window_stretches(const struct time_window *l, enum flame_kind kind, size_t thread,
			   int64_t from, int64_t to, const bool *marked,
			   void (*visit)(void *context, int64_t from, int64_t to), void *context);

/* Returns whether a thread's calls are those of samples of its stack. */
bool time_window_sampled(const struct time_window *l, size_t thread);

/* Some of a thread's time: for so many nanoseconds in [from, to] it was in the call of a node. */
struct node_time {
	uint32_t node;
	int64_t from, to, time;
};
/* Receives the time of a thread that time_window_nodes() finds. */
struct node_visitor {
	void (*visit)(void *context, const struct node_time *t);
	/* Returns whether the time from one moment to another may come summed up by node. */
	bool (*is_one)(void *context, int64_t from, int64_t to);
	void *context;
};
/*
 * Visits the time in [from, to] in which a thread was in a call, in the order of time, with the
 * call's node in the graph of FLAME_CPU. The thread ran, or had lost its processor in that call.
 * Moments that follow each other may come summed up by node, with the same from and to, if is_one()
 * allows that for all of their time. The cost is that of the times that are not allowed to, and of
 * the sums between them. Moments are cut to the window.
 */
void time_window_nodes(const struct time_window *l, size_t thread, int64_t from, int64_t to,
		       const struct node_visitor *v);

#endif
