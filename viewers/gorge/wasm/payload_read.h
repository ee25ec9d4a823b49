/* Reads a payload (viewers/gorge/document/payload.h). */
#ifndef GLIMPSE_GORGE_WASM_PAYLOAD_READ_H
#define GLIMPSE_GORGE_WASM_PAYLOAD_READ_H

#include "viewers/gorge/query/view.h"
#include "viewers/gorge/wasm/found.h"
#include "viewers/gorge/wasm/stored.h"

struct payload {
	struct view view;
	bool whole;                   /* it is all of the trace */
	struct spec *logged;          /* what the events were written with */
	struct stored_events *events; /* by its event_type.index */
	struct trace_index *index;
	struct trace trace; /* threads and definitions that what was found is of */
	struct stored_results found;
};

/*
 * Reads a payload from bytes, which must outlive the payload; that is never closed. Returns false
 * if the bytes are damaged.
 */
bool payload_read(struct payload *p, const unsigned char *bytes, size_t size, struct diag *diag);

#endif
