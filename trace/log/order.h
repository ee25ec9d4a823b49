/*
 * Sorts logs whose times step back: by the length of a signal handler, from file to file (levels),
 * or, in a damaged log, by any amount. Their records are copied in the order of time when they are
 * opened, so that readers see them like any other log.
 */
#ifndef GLIMPSE_TRACE_LOG_ORDER_H
#define GLIMPSE_TRACE_LOG_ORDER_H

#include "trace/log/log.h"

/*
 * Brings the events of a log that was scanned, and is disordered, into the order of their times;
 * those of the same time stay in the order of their records, lower levels first. Files that are in
 * order by themselves are merged, others are sorted. What the log had in memory is given up.
 */
void log_order(struct log *log);

#endif
