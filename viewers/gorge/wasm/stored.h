/* A trace that is in memory, as a parcel brought it: what stands behind trace/trace.h here. */
#ifndef GLIMPSE_GORGE_WASM_STORED_H
#define GLIMPSE_GORGE_WASM_STORED_H

#include "trace/stream/event_list.h"
#include "viewers/gorge/wasm/reader.h"

struct stored {
	struct trace trace;             /* first: a trace is the stored whose first member it is */
	struct spec *spec;              /* owned, */
	struct event_list *lists;       /* and so are these, by event_type.index */
	struct reader *found;           /* at the instances of each interval; or NULL */
};

/*
 * events: by the index of the types in the specification that was logged; they must outlive the
 * trace. like: what the trace has but for its specification, which it takes, and its lists. NULL,
 * and diag is told, when the specification has an event that was logged with other attributes.
 */
struct trace *stored_new(const struct trace *like, struct spec *spec, const struct spec *logged,
			 const struct stored_events *events, struct diag *diag);

#endif
