/*
 * Opens other tools' traces as our own: `glimpse import` makes logs of them, in a directory that is
 * kept beside the trace and used again. A separate process reads them, whatever tool asks.
 */
#ifndef GLIMPSE_TRACE_OPEN_FOREIGN_H
#define GLIMPSE_TRACE_OPEN_FOREIGN_H

#include "grammar/diag.h"
#include <stdbool.h>

/*
 * Replaces, in a copy of the list, each path that may be another tool's trace by the path of the
 * logs made from it. A path stays if no logs can be made from it. spec: the user's specification
 * (-s), by which text is imported; NULL: none. Prints on standard error what it does. Returns NULL
 * after a report if a trace is damaged. Call it before the program is confined. The copy lasts as
 * long as the program.
 */
const char *const *foreign_open(const char *const *paths, unsigned n, const char *spec,
				struct diag *diag);

#endif
