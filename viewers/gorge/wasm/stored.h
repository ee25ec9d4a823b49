/* A trace in memory, as a payload has it: what implements trace/trace.h in html documents. */
#ifndef GLIMPSE_GORGE_WASM_STORED_H
#define GLIMPSE_GORGE_WASM_STORED_H

#include "trace/stream/event_list.h"

struct stored_results;
struct payload_reader;
struct stored {
	struct trace trace;       /* first: a trace is the stored whose first member it is */
	struct spec *spec;        /* owned, */
	struct event_list *lists; /* and so are these, by event_type.index */
	struct payload_reader *instances; /* at those of each interval; or NULL */
	const struct stored_results *found; /* by these definitions; NULL: it was by others */
};

/* What the trace of the document lacks, in a sentence; "": nothing. */
extern const char *stored_losses;

/*
 * Makes a trace of stored events. The new trace takes over spec. events: by the index of the types
 * in the specification that was logged. They must outlive the trace. like: a trace whose members
 * are copied, except its specification and its lists. Returns NULL after a report to diag if the
 * specification has an event that was logged with other attributes.
 */
struct trace *stored_new(const struct trace *like, struct spec *spec, const struct spec *logged,
			 const struct stored_events *events, struct diag *diag);

#endif
