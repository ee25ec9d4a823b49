/* Writes all details of one event, or of one instance of an interval, as JSON. */
#ifndef GLIMPSE_GORGE_QUERY_DETAIL_H
#define GLIMPSE_GORGE_QUERY_DETAIL_H

#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"

/* Writes the event of a type with an index. */
void detail_event(const struct trace_index *t, const struct event_type *type, size_t index,
		  struct json *j, const char *key);

/*
 * Writes the instances that an event begins or ends: of each interval the one whose anchor it is,
 * and the first one whose partner it is, unless there are too many instances to search.
 */
void detail_ends(struct trace_index *t, const struct event_type *type, size_t index, struct json *j,
		 const char *key);

/*
 * Writes the instance with an index; of a wait also what it was for, and who ended it
 * (wait_detail.h). Returns false, and writes nothing, if there is none.
 */
bool detail_instance(struct trace_index *t, const struct interval *interval, size_t index,
		     struct json *j, const char *key);

/*
 * Writes, of an event in logical order, those that are next to it: "before" and "after", in its
 * thread and in others.
 */
void detail_neighbours(const struct trace_index *m, const struct event_type *type, size_t index,
		       struct json *j);

#endif
