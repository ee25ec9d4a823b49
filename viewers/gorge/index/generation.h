/*
 * Keeps a trace as it was read at one time, with the index of its events; what programs log later
 * belongs to another generation. Instances that are found in the background hold the generation
 * they belong to.
 */
#ifndef GLIMPSE_GORGE_INDEX_GENERATION_H
#define GLIMPSE_GORGE_INDEX_GENERATION_H

#include "viewers/gorge/index/event_index.h"

struct generation;
/* Reads all logs, and takes the trace. Returns NULL, and does not take it, if it is too large. */
struct generation *generation_new(struct trace *t);
/* Reads what the programs have logged since. Returns NULL if all has to be read anew. */
struct generation *generation_next(const struct generation *g);
/*
 * Returns the same events under another specification, which it takes. Returns NULL, and does not
 * take it, if the events are others (trace/open/respecify.h).
 */
struct generation *generation_respecify(struct generation *g, struct spec *spec);
/*
 * Returns the same trace in logical order (index/logical.h). The caller has the right to match in
 * the trace.
 */
struct generation *generation_logical(struct generation *g);
struct generation *generation_hold(struct generation *g);
/* The last one who holds it frees the index and closes the trace. */
void generation_release(struct generation *g);

struct trace *generation_trace(const struct generation *g);
const struct event_index *generation_index(const struct generation *g);
/*
 * Returns how many events there are of the types with which an interval begins or ends: where these
 * are as many, its instances are the same.
 */
uint64_t generation_events(const struct generation *g, const struct interval *interval);

#endif
