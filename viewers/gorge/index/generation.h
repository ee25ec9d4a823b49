/*
 * A trace as it was read at one time, with its event index: what programs log later is another age of it. Instances that
 * are looked for in the background keep theirs.
 */
#ifndef GLIMPSE_GORGE_INDEX_GENERATION_H
#define GLIMPSE_GORGE_INDEX_GENERATION_H

#include "viewers/gorge/index/event_index.h"

struct generation;
/* Reads all logs, and takes the trace. NULL, and the trace is not taken: it is too large for a event index. */
struct generation *generation_new(struct trace *t);
/* What the programs have gone on to; NULL: all has to be read anew (trace/open/grow.h). */
struct generation *generation_next(const struct generation *a);
/* The same under another specification, which it takes. NULL, and it is not taken: the events are others (trace/open/respecify.h). */
struct generation *generation_respecify(struct generation *a, struct spec *spec);
struct generation *generation_hold(struct generation *a);
/* Frees the event index and closes the trace when nobody holds it. */
void generation_release(struct generation *a);

struct trace *generation_trace(const struct generation *a);
const struct event_index *generation_index(const struct generation *a);
/* Of the types that the interval begins or ends with: its instances are the same in ages in which they are as many. */
uint64_t generation_events(const struct generation *a, const struct interval *interval);

#endif
