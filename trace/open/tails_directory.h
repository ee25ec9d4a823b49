/* Finds the tails and the process file of a run that are not in its log directory. */
#ifndef GLIMPSE_TRACE_OPEN_TAILS_DIRECTORY_H
#define GLIMPSE_TRACE_OPEN_TAILS_DIRECTORY_H

#include "base/confine.h"
#include "grammar/diag.h"

/*
 * Returns the path of the directory that the file `tails` of a log directory names, which the
 * caller frees, or NULL if there is no such file. The directory has to be the one that the file
 * describes, and of the same owner; otherwise the result is NULL, after a warning to diag.
 */
char *tails_directory_find(const char *directory, struct diag *diag);

/*
 * Returns the path of a file of a run, which the caller frees. A tail is in `tails`, unless that is
 * NULL; so is the process file, until the run has ended. Other files are in the log directory.
 */
char *tails_directory_path(const char *tails, const char *directory, const char *name);

/*
 * Allows a use of the directory that the file `tails` of a log directory names, if it is the run's.
 */
void tails_directory_allow(struct confinement *c, enum confine_use use, const char *directory);

#endif
