/* Some of a event index' events, as bits: whatever their number, at most a thirty-second of the logs. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_SET_H
#define GLIMPSE_GORGE_INDEX_EVENT_SET_H

#include "viewers/gorge/index/event_index.h"

struct event_set;
struct event_set *event_set_new(const struct event_index *c);
void event_set_free(struct event_set *a);

/* One that is added twice is there once. Those of different threads may be added at the same time. */
void event_set_add(struct event_set *a, event_id id);
bool event_set_has(const struct event_set *a, event_id id);
/* How many of the thread's have units in [from, to). */
uint64_t event_set_count(const struct event_set *a, unsigned thread, uint32_t from, uint32_t to);
/* The first of the thread's that has this unit or a later one; UINT32_MAX: there is none. */
uint32_t event_set_next(const struct event_set *a, unsigned thread, uint32_t from);

#endif
