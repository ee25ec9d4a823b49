/*
 * What flame graphs of windows are made from: of each thread, moment after moment, which call it was
 * in, whether it ran, and what it waited for otherwise. Once made, a window's graph costs what is
 * near its ends, and the sums of the blocks between them.
 */
#ifndef GLIMPSE_ANALYSIS_FLAME_TIMELINE_H
#define GLIMPSE_ANALYSIS_FLAME_TIMELINE_H

#include "analysis/flame/flame.h"

/* Moments in a block: they are read at each end of a window. Tests make it small. */
extern unsigned timeline_block_moments;

struct flame_timeline;
/* Reads all of a trace, which outlives it. The trace may make event lists, for one caller a time. */
struct flame_timeline *timeline_of(struct trace *t);
void timeline_free(struct flame_timeline *l);

/* Returns the graph of the whole run; kind: FLAME_CPU or FLAME_OFF. It lasts as the timeline does. */
const struct flame *timeline_flame(const struct flame_timeline *l, enum flame_kind kind);

/* Returns what each node of that graph has in a part; to be freed. For any number of callers at a time. */
struct flame_amounts *timeline_window(const struct flame_timeline *l, enum flame_kind kind,
				      const struct flame_part *part);

/*
 * Calls visit for the stretches of a thread's time in [from, to], in their order, in which one of the
 * marked nodes is the one that time goes to.
 */
void timeline_stretches(const struct flame_timeline *l, enum flame_kind kind, size_t thread, int64_t from,
			int64_t to, const bool *marked,
			void (*visit)(void *context, int64_t from, int64_t to), void *context);

#endif
