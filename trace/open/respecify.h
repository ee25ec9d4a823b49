/* A trace under another specification. */
#ifndef GLIMPSE_TRACE_OPEN_RESPECIFY_H
#define GLIMPSE_TRACE_OPEN_RESPECIFY_H

#include "trace/trace.h"

/*
 * The same events, of which nothing is read again; what it has in common with t stays as long as one of them does. It takes
 * the specification. NULL, and the specification is not taken: its events are not those of t, and the logs have to be read anew.
 */
struct trace *trace_respecify(struct trace *t, struct spec *spec);

#endif
