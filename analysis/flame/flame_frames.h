/* Makes the frames of threads' calls, and of what they wait for. */
#ifndef GLIMPSE_ANALYSIS_FLAME_FLAME_FRAMES_H
#define GLIMPSE_ANALYSIS_FLAME_FLAME_FRAMES_H

#include "analysis/calls/calls.h"
#include "analysis/flame/flame.h"
#include "analysis/flame/off_cpu.h"
#include "analysis/heap/heap.h"
#include "trace/symbols/call_paths.h"

/* Returns by function the file that it is in, or else the module; to be freed. */
const char **flame_origins(const struct flame *f, const struct calls *c);
/* Returns by node of a thread's tree the frame, to be freed; that of the root is `all`. */
uint32_t *flame_frames(struct flame *f, const struct calls *c, const char **origins, size_t thread);
/*
 * Returns the frame of a reason above that of a call. The call stack of a wait counts instead of a
 * call that is not `logged`, but known from samples.
 */
uint32_t flame_reason(struct flame *f, const struct off_cpu *p, uint32_t frame, bool logged,
		      uint32_t reason);
/* Returns the frame of a place that takes memory; its path is known innermost first. */
uint32_t flame_site(struct flame *f, const struct heap *h, const struct call_paths *paths,
		    const struct heap_site *s);

#endif
