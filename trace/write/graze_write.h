/* Writes a trace as logs of the original format. */
#ifndef GLIMPSE_TRACE_WRITE_GRAZE_WRITE_H
#define GLIMPSE_TRACE_WRITE_GRAZE_WRITE_H

#include "trace/trace.h"

/*
 * Into the directory, which exists: log.N for each thread of that number, in this machine's byte order, its events in
 * the order of their times (CLOCK_MONOTONIC), and the specification as NAME.spec. The trace's events have no attributes but
 * int ones. False, and diag knows why; silently when the user interrupted it.
 */
bool graze_write(const struct trace *t, const char *directory, struct diag *diag);

#endif
