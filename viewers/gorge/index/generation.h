/*
 * A trace as it was read at one time, with its census: what programs log later is another age of it. Instances that
 * are looked for in the background keep theirs.
 */
#ifndef GLIMPSE_GORGE_INDEX_GENERATION_H
#define GLIMPSE_GORGE_INDEX_GENERATION_H

#include "viewers/gorge/index/event_index.h"

struct age;
/* Reads all logs, and takes the trace. NULL, and the trace is not taken: it is too large for a census. */
struct age *age_new(struct trace *t);
/* What the programs have gone on to; NULL: all has to be read anew (trace/open/grow.h). */
struct age *age_next(const struct age *a);
/* The same under another specification, which it takes. NULL, and it is not taken: the events are others (trace/open/respecify.h). */
struct age *age_retell(struct age *a, struct spec *spec);
struct age *age_hold(struct age *a);
/* Frees the census and closes the trace when nobody holds it. */
void age_release(struct age *a);

struct trace *age_trace(const struct age *a);
const struct census *age_census(const struct age *a);
/* Of the types that the interval begins or ends with: its instances are the same in ages in which they are as many. */
uint64_t age_events(const struct age *a, const struct interval *interval);

#endif
