/* A part of a trace that makes sense without the rest. */
#ifndef GLIMPSE_GORGE_DOCUMENT_SLICE_H
#define GLIMPSE_GORGE_DOCUMENT_SLICE_H

#include "trace/trace.h"
#include "viewers/gorge/query/view.h"

/* What of a trace a document shows. */
struct trace_slice {
	struct window window;
	bool whole;             /* it is all of the trace */
	bool **events;          /* by event_type.index, then by place in trace_events() */
	uint32_t **ranks;       /* the same: how many events of the excerpt stand before it */
	struct matches **matches; /* by interval.index */
	bool **anchors;         /* by interval.index, then by anchor */
	uint64_t count;         /* events */
};

/*
 * The events in the window and the threads of the view; and of the instances that reach into it
 * both ends, wherever they are. False: the view asks for what is not there, and diag is told.
 */
bool slice_choose(struct trace_slice *x, const struct view *v, struct trace *t, struct diag *diag);
void slice_free(struct trace_slice *x, const struct trace *t);

#endif
