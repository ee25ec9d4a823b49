/* Separates threads' own names from the names of their program and their creator. */
#ifndef GLIMPSE_TRACE_OPEN_OWN_NAMES_H
#define GLIMPSE_TRACE_OPEN_OWN_NAMES_H

#include "trace/open/opened.h"

/* What the program of a predicted run is called, behind the name of the one that ran. */
#define PREDICTED_MARK " (predicted)"

/* Returns the name of a program's file without its folder; *length: without PREDICTED_MARK. */
const char *program_file(const char *program, size_t *length);

/*
 * Sets for each thread whether its name is its own. The first thread of the only process is called
 * "main" if its name is the program's. The threads, the processes and the logs must be described.
 */
void own_names_settle(struct opened *o);

#endif
