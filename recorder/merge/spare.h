/*
 * Frees disk space that the files of a run do not need. Processes that ended without their
 * destructors, as by exec, leave tails that are mostly empty; and all processes have the same
 * specifications, which become one file with many names.
 */
#ifndef GLIMPSE_RECORDER_SPARE_H
#define GLIMPSE_RECORDER_SPARE_H

#include "trace/open/opened.h"

/* Gives back what the processes of a trace leave that have ended; the files read as before. */
void spare_give_back(const struct opened *trace);

#endif
