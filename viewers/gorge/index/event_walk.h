/* Walks forwards through the events of one thread; each step finds one of them. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_WALK_H
#define GLIMPSE_GORGE_INDEX_EVENT_WALK_H

#include "viewers/gorge/index/event_source.h"

struct event_walk {
	const struct event_index *index;
	unsigned thread;
	uint64_t *counts; /* events of each kind before at; NULL: not wanted */
	bool ended;
	struct indexed_event at; /* the next event; at the end, the greatest time and unit */
	struct event_reading reading;
	size_t next_block, stride;
};

/*
 * Begins a walk, which stands nowhere before its first step. counts: room for each kind, or NULL. A
 * walk needs not be ended.
 */
void event_walk_begin(struct event_walk *w, const struct event_index *x, unsigned thread,
		      uint64_t *counts);
/*
 * Goes on to the first event at the time or later; to the first one with the unit or a later one.
 */
void event_walk_to_time(struct event_walk *w, int64_t time);
void event_walk_to_unit(struct event_walk *w, uint32_t unit);
/* Passes one event. */
void event_walk_step(struct event_walk *w);
/*
 * Goes to one time after the other and calls stand at each. Times ascend; blocks are found for all
 * of them first, so that the parts of logs are fetched before they are read.
 */
void event_walk_times(struct event_walk *w, const int64_t *times, size_t n,
		      void (*stand)(void *context, size_t i), void *context);
/* Gives the next event. Returns false at the end. */
bool event_walk_event(const struct event_walk *w, struct event *e);

/* Returns the unit of a thread's first event at the time or later, or UINT32_MAX. */
uint32_t event_index_seek(const struct event_index *x, unsigned thread, int64_t time);
/* Finds the first event of the kind that is the given one or a later one of its thread. */
bool event_index_find(const struct event_index *x, event_id id, unsigned kind, event_id *found);
/* Find the event before, or after, another one in its thread. Return false if there is none. */
bool event_index_before(const struct event_index *x, event_id id, event_id *before);
bool event_index_after(const struct event_index *x, event_id id, event_id *after);
int64_t event_index_time(const struct event_index *x, event_id id);
/* The same of the clocks, whatever the index has for times. */
int64_t event_index_clock(const struct event_index *x, event_id id);
const unsigned char *event_index_record(const struct event_index *x, event_id id);
/* Returns false if there is no event with the id. */
bool event_index_event(const struct event_index *x, event_id id, struct event *e);

/* Returns the id of an event of the trace, which may lack its seq. */
event_id event_index_id(const struct event_index *x, const struct event *e);
/* Returns how many events of the same type come before an event in the stream. */
uint64_t event_index_rank(const struct event_index *x, const struct event *e);
/* Finds the event of a type before which rank others come. Returns false if there is none. */
bool event_index_select(const struct event_index *x, const struct event_type *type, uint64_t rank,
			event_id *id);

#endif
