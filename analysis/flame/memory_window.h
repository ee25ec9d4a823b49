/*
 * Computes memory flame graphs of any window: keeps each thread's allocations in the order of time,
 * and their sums by blocks.
 */
#ifndef GLIMPSE_ANALYSIS_FLAME_MEMORY_WINDOW_H
#define GLIMPSE_ANALYSIS_FLAME_MEMORY_WINDOW_H

#include "analysis/flame/flame.h"

/* How many are in a block. Tests make it small. */
extern unsigned memory_window_block;

struct memory_window;
/*
 * Reads all of a trace, which outlives it. Returns NULL if nothing in it has bytes. The trace may
 * find instances of intervals, for one caller a time.
 */
struct memory_window *memory_window_of(struct trace *t);
void memory_window_free(struct memory_window *l);

/*
 * Returns the graph of the whole run; kind: FLAME_BYTES to FLAME_LEFT, with the same nodes. It
 * lasts as the window does.
 */
const struct flame *memory_window_flame(const struct memory_window *l, enum flame_kind kind);
/*
 * Returns what each node of that graph has in a part; to be freed. For any number of callers at a
 * time.
 */
struct flame_amounts *memory_window_amounts(const struct memory_window *l, enum flame_kind kind,
					    const struct flame_part *part);

/*
 * Calls visit for the nanosecond of each take of a thread in [from, to) whose node is marked, in
 * their order.
 */
void memory_window_moments(const struct memory_window *l, size_t thread, int64_t from, int64_t to,
			   const bool *marked,
			   void (*visit)(void *context, int64_t from, int64_t to), void *context);

#endif
