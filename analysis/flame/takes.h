/*
 * What flame graphs of memory are made from, of any window: of each thread what it took, in the order
 * of time, with sums of blocks of it.
 */
#ifndef GLIMPSE_ANALYSIS_FLAME_TAKES_H
#define GLIMPSE_ANALYSIS_FLAME_TAKES_H

#include "analysis/flame/flame.h"

/* How many are in a block. Tests make it small. */
extern unsigned takes_block;

struct flame_takes;
/*
 * Reads all of a trace, which outlives it. Returns NULL if nothing in it has bytes. The trace may find
 * instances of intervals, for one caller a time.
 */
struct flame_takes *takes_of(struct trace *t);
void takes_free(struct flame_takes *l);

/* Returns the graph of the whole run; kind: FLAME_BYTES to FLAME_LEFT, with the same nodes. It lasts as the takes do. */
const struct flame *takes_flame(const struct flame_takes *l, enum flame_kind kind);
/* Returns what each node of that graph has in a part; to be freed. For any number of callers at a time. */
struct flame_amounts *takes_window(const struct flame_takes *l, enum flame_kind kind, const struct flame_part *part);

/* Calls visit for the nanosecond of each take of a thread in [from, to) whose node is marked, in their order. */
void takes_moments(const struct flame_takes *l, size_t thread, int64_t from, int64_t to, const bool *marked,
		   void (*visit)(void *context, int64_t from, int64_t to), void *context);

#endif
