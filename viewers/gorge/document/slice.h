/* Cuts a slice of a trace that is complete in itself, for an html document. */
#ifndef GLIMPSE_GORGE_DOCUMENT_SLICE_H
#define GLIMPSE_GORGE_DOCUMENT_SLICE_H

#include "trace/trace.h"
#include "viewers/gorge/query/view.h"

struct trace_slice {
	struct window window;
	bool whole;               /* all of the trace is chosen */
	bool *threads;            /* which are chosen, as the trace's threads */
	bool **events;            /* by event_type.index, then by place in trace_events() */
	uint32_t **ranks;         /* the same: how many chosen events come before it */
	struct matches **matches; /* by interval.index */
	bool **anchors;           /* by interval.index, then by anchor */
	uint64_t count;           /* events */
};

/*
 * Chooses the events in the window and the threads of a view, and both ends of the instances that
 * reach into them. Returns false, and diag is told, if the view asks for what is not there.
 */
bool slice_choose(struct trace_slice *x, const struct view *v, struct trace *t, struct diag *diag);
void slice_free(struct trace_slice *x, const struct trace *t);

#endif
