/* Tells names that threads have of their own from those of their program and their creator. */
#ifndef GLIMPSE_TRACE_OPEN_OWN_NAMES_H
#define GLIMPSE_TRACE_OPEN_OWN_NAMES_H

#include "trace/open/opened.h"

/*
 * Sets for each thread whether its name is its own. The first thread of the only process is called
 * "main" if its name is the program's. The threads, the processes and the logs must be described.
 */
void own_names_settle(struct opened *o);

#endif
