/* Finds the format of an output file by the suffix of its name. */
#ifndef GLIMPSE_VIEWERS_SUFFIX_H
#define GLIMPSE_VIEWERS_SUFFIX_H

#include "grammar/diag.h"

/*
 * Returns the index of path's suffix (letters of either case, without the dot) in known, which ends
 * with NULL; -1, after a report of the known ones to diag, if the suffix is unknown.
 */
int suffix_find(const char *path, const char *const *known, struct diag *diag);

#endif
