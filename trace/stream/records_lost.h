/* Counts records that are missing in a trace. */
#ifndef GLIMPSE_TRACE_STREAM_RECORDS_LOST_H
#define GLIMPSE_TRACE_STREAM_RECORDS_LOST_H

#include "trace/trace.h"

/*
 * Returns how many records are missing, by the events with the style "lost": of those of one type
 * and time, in several threads, one counts. A pass over all events, if there is such an event.
 */
uint64_t trace_records_lost(const struct trace *t);
/* Returns the same of one type of such events. */
uint64_t trace_records_lost_of(const struct trace *t, const struct event_type *type);

#endif
