/* All that there is to say of one event or one instance of an interval, as JSON. */
#ifndef GLIMPSE_GORGE_QUERY_DETAIL_H
#define GLIMPSE_GORGE_QUERY_DETAIL_H

#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"

/* The event with that index among those of its type. */
void detail_event(struct trace_index *m, const struct event_type *type, size_t index,
		  struct json *j, const char *key);

/*
 * The instances that it is an end of: of each interval the one that it began the search for, and
 * the first of those that found it; the latter only where there are not too many to look through.
 */
void detail_ends(struct trace_index *m, const struct event_type *type, size_t index, struct json *j,
		 const char *key);

/*
 * The instance of that index, with or without a partner. False: there is none, and nothing is
 * written.
 */
bool detail_instance(struct trace_index *m, const struct interval *interval, size_t index,
		     struct json *j, const char *key);

#endif
