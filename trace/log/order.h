/*
 * Sorts logs whose times step back: by the length of a signal handler, from file to file (levels),
 * or, in a damaged log, by any amount. When they are opened, their ranges are put in the order of
 * time, or their records are copied in that order, so that readers see them like any other log.
 */
#ifndef GLIMPSE_TRACE_LOG_ORDER_H
#define GLIMPSE_TRACE_LOG_ORDER_H

#include "trace/log/log.h"

/* If files take turns more often than once in so many bytes, records are copied. */
extern size_t merged_run_least;

/*
 * Brings the events of a log that was scanned, and is disordered, into the order of their times;
 * those of the same time stay in the order of their records, lower levels first. Files that are in
 * order by themselves are merged, others are sorted. If records are copied, what the log had in
 * memory is given up.
 */
void log_order(struct log *log);

#endif
