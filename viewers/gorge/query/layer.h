/* Assigns event types and intervals to the layers that a viewer switches together. */
#ifndef GLIMPSE_GORGE_QUERY_LAYER_H
#define GLIMPSE_GORGE_QUERY_LAYER_H

#include "trace/trace.h"

/* Returns the layer of an interval by its kind: "states", "waits", "locks", "wake-ups" or "own". */
const char *layer_of_interval(const struct interval *interval);

/* Returns whether a trace has no event that could be an interval's anchor. */
bool layer_lacks_interval(const struct trace *t, const struct interval *interval);

/* Returns how many events of a trace the search for an interval's instances reads. */
uint64_t layer_interval_events(const struct trace *t, const struct interval *interval);

#endif
