/* A copy of a log directory while its program runs on. */
#ifndef GLIMPSE_TRACE_WRITE_SNAPSHOT_H
#define GLIMPSE_TRACE_WRITE_SNAPSHOT_H

#include "grammar/diag.h"
#include <stdbool.h>

/*
 * The name of a snapshot: the one that is wanted, or when that is NULL DIRECTORY.snapshot, or the
 * first DIRECTORY.snapshot.N that is free. The caller frees it.
 */
char *snapshot_name(const char *directory, const char *wanted);

/*
 * Makes a snapshot of that name, which must not exist. Ends the program when it is interrupted.
 * False, and diag knows why, when there is none.
 */
bool snapshot_make(const char *directory, const char *name, struct diag *diag);

/*
 * Writes what the logs in `from` hold at this moment to the directory `to`, which exists and is
 * empty: every event whose call had returned is in it. What stood in tails and rings is written
 * behind the logs. False, and diag knows why, or it was interrupted.
 */
bool snapshot_write(const char *from, const char *to, struct diag *diag);

#endif
