/*
 * Limits the memory of matching, so that all of a trace stays within twice its logs; the rest goes
 * to temporary files (base/spill.h).
 */
#ifndef GLIMPSE_GORGE_LOGS_MEMORY_BUDGET_H
#define GLIMPSE_GORGE_LOGS_MEMORY_BUDGET_H

#include "trace/trace.h"

/*
 * Sets the limit before an interval is matched; lent: the trace's event lists have to stay. Returns
 * the former limit, for memory_budget_end().
 */
uint64_t memory_budget_begin(struct trace *t, const struct interval *interval, bool lent);
void memory_budget_end(uint64_t limit);

/* A limit is never less than this: so little is not worth a file. Tests make it small. */
extern uint64_t memory_budget_least;

#endif
