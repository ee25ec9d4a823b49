/* Lists what a confined program needs to read a trace. */
#ifndef GLIMPSE_TRACE_OPEN_CONFINE_TRACE_H
#define GLIMPSE_TRACE_OPEN_CONFINE_TRACE_H

#include "base/confine.h"

/*
 * Allows a use of a log directory, and of the directories that hold tails of the runs in it.
 */
void confine_allow_run(struct confinement *c, enum confine_use use, const char *directory);

/* Allows to read a specification of the user's; all files, if it imports others. */
void confine_allow_spec(struct confinement *c, const char *spec);

/*
 * Allows to read the directories, the directories that hold tails of their runs, and the user's
 * specification (NULL: none). If that imports others, all files may be read. Allows also to make
 * temporary files, and to ask the system how much memory and how many processors there are.
 */
void confine_allow_trace(struct confinement *c, const char *const *directories,
			 unsigned ndirectories, const char *spec);

#endif
