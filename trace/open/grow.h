/* A trace that a running program goes on with. */
#ifndef GLIMPSE_TRACE_OPEN_GROW_H
#define GLIMPSE_TRACE_OPEN_GROW_H

#include "trace/trace.h"

/*
 * The same as trace_open(), but of what will go on where that is possible; then trace_grow() gives another trace: all that
 * is logged by now, for which only what is new is read. Both stay as they are, share their specification and number their
 * threads alike, and an event has the same record and the same time in both; in the new trace what follows may be some
 * microseconds off, as the clock is not measured anew for what was read before. Each has to be closed. NULL: there is no
 * way from the one to the other; all has to be read anew.
 */
struct trace *trace_open_growing(const char *const *directories, unsigned n, const char *spec_path, struct diag *diag);
struct trace *trace_grow(struct trace *t);
/* Whether it was opened so, and the logs are all such as can go on. */
bool trace_can_grow(const struct trace *t);

#endif
