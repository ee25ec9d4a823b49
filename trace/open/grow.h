/* Opens a newer state of a trace whose program still runs. */
#ifndef GLIMPSE_TRACE_OPEN_GROW_H
#define GLIMPSE_TRACE_OPEN_GROW_H

#include "trace/trace.h"

/* Opens a trace as trace_open() does, so that it can grow if its logs are of a kind that can. */
struct trace *trace_open_growing(const char *const *directories, unsigned n, const char *spec_path,
				 struct diag *diag);

/*
 * Returns another trace with all that is logged by now, for which only what is new is read; NULL if
 * that is impossible and all has to be read anew. Both traces stay open until they are closed. They
 * share their specification, number threads alike, and an event has the same record and time in
 * both; later events may be some microseconds off, as earlier times are not measured anew.
 */
struct trace *trace_grow(struct trace *t);
/* Returns whether t was opened growing, and all its logs are of a kind that can grow. */
bool trace_can_grow(const struct trace *t);

#endif
