/* Keeps a set of events as bitmaps, one for each thread: at most a thirty-second of the logs. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_SET_H
#define GLIMPSE_GORGE_INDEX_EVENT_SET_H

#include "viewers/gorge/index/event_index.h"

struct event_set;
struct event_set *event_set_new(const struct event_index *x);
void event_set_free(struct event_set *s);

/* Adds an event, if it is not in the set. Events of different threads may be added at once. */
void event_set_add(struct event_set *s, event_id id);
bool event_set_has(const struct event_set *s, event_id id);
/* Returns how many of a thread's events have units in [from, to). */
uint64_t event_set_count(const struct event_set *s, unsigned thread, uint32_t from, uint32_t to);
/* Returns the unit of a thread's first event that is from or later, or UINT32_MAX. */
uint32_t event_set_next(const struct event_set *s, unsigned thread, uint32_t from);

#endif
