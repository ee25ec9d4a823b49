/* Reads when threads tried something in vain: events of kind "spin". */
#ifndef GLIMPSE_ANALYSIS_GRAPH_TRIES_H
#define GLIMPSE_ANALYSIS_GRAPH_TRIES_H

#include "base/array.h"
#include "trace/trace.h"

/* A thread that computes for longer between two tries does more than to try. ns */
enum { LONGEST_TRY = 50000 };

struct
try {
	int64_t time;
	uint64_t key;    /* of the type, the call site and the object */
	uint64_t object; /* its address; 0: the try is for none, as one that yields */
	uint32_t thread; /* index in the trace's threads */
};

typedef VECTOR(struct try) tries;

/* Announces the events of tries, which are read with all others then. */
void tries_announce(struct trace *t);
/* Returns all tries, by thread, then time. The caller frees them. */
tries tries_of(struct trace *t);
struct graph;
/*
 * Returns those of objects that come right before a wait of their thread: of millions between two
 * waits it keeps the last one.
 */
tries tries_before_waits(struct trace *t, const struct graph *g);

#endif
