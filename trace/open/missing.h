/* Processes of which a run has nothing, as the recorder lists them in the file `missing`. */
#ifndef GLIMPSE_TRACE_OPEN_MISSING_H
#define GLIMPSE_TRACE_OPEN_MISSING_H

#include "trace/open/opened.h"

/* Adds those that the list of a directory has to the trace, and warns diag of them. */
void missing_read(struct opened *o, const struct directory *d, struct diag *diag);
void missing_free(struct opened *o);

#endif
