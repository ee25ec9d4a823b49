/* Chooses the specification of a trace: the given one, or those of its directories combined. */
#ifndef GLIMPSE_TRACE_OPEN_SPECS_H
#define GLIMPSE_TRACE_OPEN_SPECS_H

#include "trace/open/opened.h"

/*
 * Reads the given specification (or NULL) and those of the directories, sets the trace's, and maps
 * the schemas to it. Returns false, after a report to diag, if there is no specification, or if
 * they contradict each other.
 */
bool specs_settle(struct opened *o, const char *given, struct diag *diag);

#endif
