/* A copy of a log directory while its program runs on. */
#ifndef GLIMPSE_TRACE_WRITE_SNAPSHOT_H
#define GLIMPSE_TRACE_WRITE_SNAPSHOT_H

#include "grammar/diag.h"
#include <stdbool.h>

/*
 * Returns the name of a snapshot, which the caller frees: the one that is wanted, or, if that is
 * NULL, DIRECTORY.snapshot or the first DIRECTORY.snapshot.N that does not exist.
 */
char *snapshot_name(const char *directory, const char *wanted);

/*
 * Makes a snapshot of that name, which must not exist: every event whose call had returned is in
 * it. Ends the program on an interruption. Returns false after a report to diag.
 */
bool snapshot_make(const char *directory, const char *name, struct diag *diag);

#endif
