/* Some of a census' events, as bits: whatever their number, at most a thirty-second of the logs. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_SET_H
#define GLIMPSE_GORGE_INDEX_EVENT_SET_H

#include "viewers/gorge/index/event_index.h"

struct anchors;
struct anchors *anchors_new(const struct census *c);
void anchors_free(struct anchors *a);

/* One that is added twice is there once. Those of different threads may be added at the same time. */
void anchors_add(struct anchors *a, event_id id);
bool anchors_has(const struct anchors *a, event_id id);
/* How many of the thread's have units in [from, to). */
uint64_t anchors_count(const struct anchors *a, unsigned thread, uint32_t from, uint32_t to);
/* The first of the thread's that has this unit or a later one; UINT32_MAX: there is none. */
uint32_t anchors_next(const struct anchors *a, unsigned thread, uint32_t from);

#endif
