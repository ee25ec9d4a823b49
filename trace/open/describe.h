/* Fills the public part of a trace from its logs: threads, processes, times, gaps, sums. */
#ifndef GLIMPSE_TRACE_OPEN_DESCRIBE_H
#define GLIMPSE_TRACE_OPEN_DESCRIBE_H

#include "trace/open/opened.h"

/* Describes a trace. Returns false after a report to diag. */
bool trace_describe(struct opened *o, struct diag *diag);

#endif
