/* Finds whether the directories of a trace belong to one run. */
#ifndef GLIMPSE_TRACE_OPEN_RUNS_H
#define GLIMPSE_TRACE_OPEN_RUNS_H

#include "trace/open/opened.h"

/*
 * Returns whether the given directories belong to one run: none began more than a second after all
 * others had ended, or trace_joins_runs is set. If not, or if trace_asks_runs is set and two
 * recordings followed each other, reports to diag which did not.
 */
bool runs_are_one(const struct opened *o, struct diag *diag);

#endif
