/* Reads which processes of a run could not be recorded, from the recorder's file `missing`. */
#ifndef GLIMPSE_TRACE_OPEN_MISSING_H
#define GLIMPSE_TRACE_OPEN_MISSING_H

#include "trace/open/opened.h"

/* Adds those that the list of a directory has to the trace, and warns diag of them. */
void missing_read(struct opened *o, const struct directory *d, struct diag *diag);
void missing_free(struct opened *o);

#endif
