/*
 * Counts and rates of all events of a type, from the list that the trace keeps of them: it is in
 * order, so that a few moments can be looked up and the events between them need not be.
 */
#ifndef GLIMPSE_NIBBLE_LISTED_H
#define GLIMPSE_NIBBLE_LISTED_H

#include "trace/trace.h"
#include "viewers/nibble/grid.h"
#include "viewers/nibble/series.h"

/* How many events stand in the range. */
size_t listed_in(const struct event_list *l, struct range r);
struct series *listed_rate(const struct event_list *l, const struct grid *g);
/*
 * For drawing alone: the first and the last step in each of that many equal parts of the range.
 * What lies between them, the curve only rises through.
 */
struct series *listed_count(const struct event_list *l, struct range r, unsigned parts);

#endif
