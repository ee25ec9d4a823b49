/*
 * Finds the critical path: backwards from the last event, what the program's end waited for. If a
 * thread waited, the path continues in the thread that woke it. It has no gap, and the length of
 * the trace.
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_CRITICAL_PATH_H
#define GLIMPSE_ANALYSIS_GRAPH_CRITICAL_PATH_H

#include "analysis/graph/graph.h"

struct span_subset;

enum path_kind {
	PATH_STRETCH,  /* what the thread does: its activity there */
	PATH_HANDOVER, /* from what let the thread go on until it went on */
	PATH_START,    /* from the creation of the thread to its beginning */
	PATH_NOBODY,   /* no thread has begun, or it is not known who let this one begin */
};

struct path_piece {
	int64_t from, to;
	/* index in the trace's threads; of a handover the one that waited */
	uint32_t thread;
	/* of PATH_HANDOVER and PATH_START, the one that let it; else NO_THREAD */
	uint32_t other;
	uint32_t role : 24; /* of a wait, in graph.waits; else NO_ROLE */
	uint32_t kind : 3;  /* enum path_kind */
	/* of PATH_STRETCH its enum activity; of the others ACTIVITY_WAITING */
	uint32_t activity : 4;
	uint32_t timed_out : 1; /* of PATH_STRETCH: the time of the wait was up */
};

struct critical_path {
	struct path_piece *pieces; /* in the order of time; none is empty */
	size_t n;
};

/* The path to the end of the thread that ends last. */
struct critical_path *critical_path_of(const struct graph *g);
/* Returns where threads are on the path, handovers apart. */
struct span_subset *critical_path_part(const struct critical_path *path, uint32_t nthreads);
/*
 * The same of the path of a trace, when nothing else of it is asked for. The set has graph_spans().
 */
struct span_subset *critical_path_part_of(const struct instance_set *set);
void critical_path_free(struct critical_path *p);

#endif
