/* From logs that were read to what tools see of a trace: its threads, processes, times, sums. */
#ifndef GLIMPSE_TRACE_OPEN_DESCRIBE_H
#define GLIMPSE_TRACE_OPEN_DESCRIBE_H

#include "trace/open/opened.h"

/* Also sorts the logs whose times step back. False after diag was told why. */
bool trace_describe(struct opened *o, struct diag *diag);

#endif
