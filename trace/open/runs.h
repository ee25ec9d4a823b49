/* Finds whether the directories of a trace belong to one run. */
#ifndef GLIMPSE_TRACE_OPEN_RUNS_H
#define GLIMPSE_TRACE_OPEN_RUNS_H

#include "trace/open/opened.h"

/*
 * Returns whether the runs in the directories that were given went on at the same time, as the
 * processes of one run do (none began more than a second after all others had ended), or
 * trace_joins_runs. Otherwise reports to diag which did not.
 */
bool runs_are_one(const struct opened *o, struct diag *diag);

#endif
