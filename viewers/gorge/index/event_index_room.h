/* Where the entries of a census lie that grows: it is shared by those that grew out of each other. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_INDEX_ROOM_H
#define GLIMPSE_GORGE_INDEX_EVENT_INDEX_ROOM_H

#include "viewers/gorge/index/event_index_parts.h"

/* NULL: the trace does not grow, or there is no room. */
struct census_room *census_room_new(const struct trace *t, unsigned nkinds);
struct census_room *census_room_hold(struct census_room *r);
void census_room_release(struct census_room *r);
/* So many blocks there is room for in each thread. */
size_t census_room_blocks(const struct census_room *r);
/* An array for a thread; NULL: there is no more room. */
void *census_room_take(struct census_room *r, size_t n, size_t size);

#endif
