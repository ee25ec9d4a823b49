/* Copies a log directory while its program continues to run. */
#ifndef GLIMPSE_TRACE_WRITE_SNAPSHOT_H
#define GLIMPSE_TRACE_WRITE_SNAPSHOT_H

#include "grammar/diag.h"
#include <stdbool.h>

/*
 * Writes what the logs in `from`, and in the log directories within it, hold at this moment to the
 * empty directory `to`: every event whose call had returned. What was in tails and rings is
 * appended to the logs. Tails are read first: bytes that a thread appends to its log meanwhile are
 * in both, and are cut off from the log. Returns false after a report to diag, or an interruption.
 */
bool snapshot_write(const char *from, const char *to, struct diag *diag);

#endif
