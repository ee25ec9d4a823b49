/* Where the entries of a event index lie that grows: it is shared by those that grew out of each other. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_INDEX_ROOM_H
#define GLIMPSE_GORGE_INDEX_EVENT_INDEX_ROOM_H

#include "viewers/gorge/index/event_index_parts.h"

/* NULL: the trace does not grow, or there is no room. */
struct index_room *index_room_new(const struct trace *t, unsigned nkinds);
struct index_room *index_room_hold(struct index_room *r);
void index_room_release(struct index_room *r);
/* So many blocks there is room for in each thread. */
size_t index_room_blocks(const struct index_room *r);
/* An array for a thread; NULL: there is no more room. */
void *index_room_take(struct index_room *r, size_t n, size_t size);

#endif
