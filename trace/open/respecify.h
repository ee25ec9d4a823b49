/* Opens a trace with another specification of the same events. */
#ifndef GLIMPSE_TRACE_OPEN_RESPECIFY_H
#define GLIMPSE_TRACE_OPEN_RESPECIFY_H

#include "trace/trace.h"

/*
 * Returns a trace of the same events without reading anything again. Memory that it shares with t
 * stays as long as one of them is open. Takes the specification. Returns NULL, without taking it,
 * if the events of the specification are not those of t; then the logs must be read again.
 */
struct trace *trace_respecify(struct trace *t, struct spec *spec);

#endif
