/*
 * Looks up events and instances by their indices: how many events of the same type come before an
 * event in the stream; of an instance, the index of its anchor. Scenes name things by an event_id
 * instead, which is cheap to come by.
 */
#ifndef GLIMPSE_GORGE_QUERY_LOOKUP_H
#define GLIMPSE_GORGE_QUERY_LOOKUP_H

#include "viewers/gorge/index/trace_index.h"

/* Find an event or an instance by its index. Return false if there is none. */
bool lookup_event(const struct trace_index *t, const struct event_type *type, size_t index,
		  struct event *e);
bool lookup_instance(const struct trace_index *t, const struct interval *interval, size_t index,
		     struct instance *i);
/* Returns one more than the greatest index of an instance. */
uint64_t lookup_instances(const struct trace_index *t, const struct interval *interval);

/* Returns the index of an event; of the event with an id. */
size_t lookup_index(const struct trace_index *t, const struct event *e);
size_t lookup_id(const struct trace_index *t, event_id id);
/*
 * Returns the index of the first event of a type and a shift that is the event with the id or a
 * later one of its thread.
 */
size_t lookup_marked(const struct trace_index *t, const struct event_type *type, event_id first,
		     unsigned shift);

/* Returns the index of another instance, or of the same one, if there is none in that direction. */
enum instance_step { STEP_NEXT, STEP_PREVIOUS, STEP_LONGEST, STEP_NEXT_UNMATCHED, STEP_NONE };
size_t lookup_step(const struct trace_index *t, const struct interval *interval, size_t index,
		   enum instance_step step);

#endif
