/* Says whether a trace has events for an interval, and how many its search reads. */
#ifndef GLIMPSE_GORGE_QUERY_PRESENCE_H
#define GLIMPSE_GORGE_QUERY_PRESENCE_H

#include "trace/trace.h"

/* Returns whether a trace has no event that could be an interval's anchor. */
bool presence_lacks(const struct trace *t, const struct interval *interval);

/* Returns how many events of a trace the search for an interval's instances reads. */
uint64_t presence_events(const struct trace *t, const struct interval *interval);

#endif
