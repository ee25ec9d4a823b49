/*
 * Frees disk space that the files of a run do not need. Processes that ended without their
 * destructors, as by exec, leave tails that are mostly empty; and all processes have the same
 * specifications, which become one file with many names.
 */
#ifndef GLIMPSE_RECORDER_MERGE_SPARE_H
#define GLIMPSE_RECORDER_MERGE_SPARE_H

#include "trace/open/opened.h"

/* Frees the unused space that ended processes of a trace leave in files; readers see no change. */
void spare_give_back(const struct opened *trace);

#endif
