/*
 * Finds threads that sleep between tries of a lock that another thread has. Its release ends the
 * last of these sleeps.
 *
 *	thread   x| sleep |x| sleep |[ has the lock ]        x: a try in vain
 *	holder   [ has the lock ]
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_TRIED_LOCKS_H
#define GLIMPSE_ANALYSIS_GRAPH_TRIED_LOCKS_H

#include "base/array.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct graph;
struct instance_set;
struct trace;

struct tried_lock {
	uint32_t thread;    /* index in the trace's threads */
	size_t first, last; /* sleeps: stretches of its timeline */
	size_t hold;        /* of the thread's spans of SPANS_HOLD: the lock, once it has it */
	size_t usual;       /* that of the thread's sleeps at this place with the median length */
};

typedef VECTOR(struct tried_lock) tried_locks;

/*
 * Whether threads of a trace try locks in vain, and not so often that they spin: only then holds
 * are needed for the rest.
 */
bool has_tried_locks(const struct trace *t);
/*
 * Finds them, by thread, then time, and gives the last sleeps their causes. The set has SPANS_WAIT
 * and SPANS_HOLD, the graph its other causes. The caller frees them.
 */
tried_locks tried_locks_find(struct graph *g, const struct instance_set *set);
/* Returns the place of the one that a stretch is a sleep of; UINT32_MAX: it is of none. */
uint32_t tried_lock_at(const struct graph *g, uint32_t thread, size_t stretch);

#endif
