/*
 * Lists the bands of a lane, from the top. The kind of an interval determines its band; the bars of
 * one band are stacked together.
 */
#ifndef GLIMPSE_GORGE_INDEX_BAND_H
#define GLIMPSE_GORGE_INDEX_BAND_H

#include "trace/trace.h"

enum band {
	BAND_STATES, /* what the thread does at each moment: one row */
	BAND_BARS,   /* all but the others */
	BAND_LIVES,  /* thin: when it was there */
	BAND_CALLS,  /* an icicle: callees below their callers */
	BAND_STACKS, /* the same of sampled stacks (scene/stack_scene.h) */
	BANDS
};

enum band band_of(const struct interval *interval);
/* Returns how many rows a band of a thread of the trace may have. */
unsigned band_limit(enum band band, const struct trace *t);

#endif
