/* Finds when the threads of a trace were in waits of their own, by the program's events. */
#ifndef GLIMPSE_RECORDER_MERGE_KNOWN_WAITS_H
#define GLIMPSE_RECORDER_MERGE_KNOWN_WAITS_H

#include "recorder/merge/sampled_states.h"
#include "trace/trace.h"

typedef VECTOR(struct sampled_wait) known_waits;

/*
 * Returns for each thread (index) of the trace its times in intervals of the kinds "wait" and "io",
 * in order. Waits that overlap are one, and causes are those of the last one's end. asked: by
 * thread; the others have none. The caller frees the result
 * with known_waits_free().
 */
known_waits *known_waits_find(struct trace *t, const bool *asked);
void known_waits_free(known_waits *waits, const struct trace *t);

#endif
