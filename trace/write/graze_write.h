/* Writes a trace as logs of the original format. */
#ifndef GLIMPSE_TRACE_WRITE_GRAZE_WRITE_H
#define GLIMPSE_TRACE_WRITE_GRAZE_WRITE_H

#include "trace/trace.h"

/*
 * Writes to the directory, which exists: log.N for the thread of each number, in this machine's
 * byte order, its events in the order of time (CLOCK_MONOTONIC), and the specification as
 * NAME.spec. All attributes of the trace's events must be ints. Returns false after a report to
 * diag, or, silently, after an interruption.
 */
bool graze_write(const struct trace *t, const char *directory, struct diag *diag);

#endif
