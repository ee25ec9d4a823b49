/*
 * What memory a search may take so that all that there is of a trace stays within twice its logs: what goes beyond that
 * lies in temporary files while it is searched (base/spill.h).
 */
#ifndef GLIMPSE_GORGE_INDEX_MEMORY_BUDGET_H
#define GLIMPSE_GORGE_INDEX_MEMORY_BUDGET_H

#include "trace/trace.h"

/* Before the search. lent: somebody has something of the trace's event lists, which have to stay. Gives what the limit was. */
uint64_t memory_budget_begin(struct trace *t, const struct interval *interval, bool lent);
/* Behind it. */
void memory_budget_end(uint64_t limit);

/* So little is not worth a file, whatever the logs are; tests make it small. */
extern uint64_t memory_budget_least;

#endif
