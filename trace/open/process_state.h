/* Finds whether the process that wrote a log directory ended, died or still runs. */
#ifndef GLIMPSE_TRACE_OPEN_PROCESS_STATE_H
#define GLIMPSE_TRACE_OPEN_PROCESS_STATE_H

#include "trace/format/process_info.h"
#include "trace/trace.h"

/*
 * Returns whether it ended, runs, or died: PROCESS_UNKNOWN unless it was started on this machine,
 * since this boot, and where its process id means the same as here.
 */
enum process_state process_state(const struct process_info *p);

#endif
