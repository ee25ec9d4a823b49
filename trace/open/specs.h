/* Which specification a trace is read with: the one given, or those of its directories as one. */
#ifndef GLIMPSE_TRACE_OPEN_SPECS_H
#define GLIMPSE_TRACE_OPEN_SPECS_H

#include "trace/open/opened.h"

/*
 * Reads the specification given (or NULL) and those of the directories, sets the trace's, and knows all their schemas.
 * False, and diag knows why, when there is none, or they contradict each other.
 */
bool specs_settle(struct opened *o, const char *given, struct diag *diag);
/* Makes those of the directories one, o->joined. False: they have names in common, which diag tells, or there is no memory. */
bool specs_join(struct opened *o, struct diag *diag);
/* Frees all of it. */
void specs_clear(struct opened *o);

#endif
