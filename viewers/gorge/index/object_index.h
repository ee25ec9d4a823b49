/*
 * Indexes the holds and waits of a trace by their objects: locks, semaphores, conditions, or
 * whatever the intervals of kinds "hold" and "wait" are about. Sixteen bytes for each instance.
 *
 * An object is what an attribute of type object names: a process, an address and a name. What has
 * the same name at the same address after its end is shown as the same object. Intervals without
 * such an attribute are about one object, which is called as the interval is labelled.
 */
#ifndef GLIMPSE_GORGE_INDEX_OBJECT_INDEX_H
#define GLIMPSE_GORGE_INDEX_OBJECT_INDEX_H

#include "analysis/activity/roles.h"
#include "base/hash.h"
#include "viewers/gorge/index/trace_index.h"
#include <pthread.h>

/* Rows of holders, and of threads that wait; more than these share the last one. */
enum { OBJECT_HOLDERS = 4, OBJECT_WAITERS = 8 };

/* A thread holds an object, or waits for it. */
struct object_span {
	int64_t start;
	uint32_t length;      /* in units of 1 << 10 * scale nanoseconds */
	unsigned thread : 18; /* index */
	unsigned role : 6;    /* in the index' roles */
	unsigned row : 5;     /* among the holders, or among those that wait */
	unsigned scale : 2;
	unsigned open : 1; /* it is not over when the trace ends */
};

static inline int64_t object_span_end(const struct object_span *s)
{
	return s->start + ((int64_t)s->length << 10 * s->scale);
}

enum { OBJECT_BLOCK = 64 };

/* The extremes of a block of spans. */
struct object_block {
	int64_t reached; /* the last end up to here, of earlier blocks, too */
	int64_t last_end;
	int64_t longest;
};

struct traced_object {
	char *name;
	unsigned kind; /* in the index' kinds */
	uint64_t holds, waits;
	int64_t waited;                   /* nanoseconds, of all threads */
	unsigned holders, waiters;        /* rows */
	VECTOR(struct object_span) spans; /* in the order of their starts */
	VECTOR(struct object_block) blocks;
};

/* A kind of object: "lock" is what attributes of that name mean; or an interval without one. */
struct object_kind {
	const char *name;
	const struct interval *interval; /* NULL: it is an attribute's */
};

struct object_kinds {
	VECTOR(struct object_kind) list;
};

/* Returns the kinds of objects in a trace, as far as its events tell. */
struct object_kinds object_kinds_of(const struct trace *t);

struct object_index {
	struct trace *trace;
	const struct event_index *events;
	struct object_kinds kinds;
	VECTOR(struct role) roles;            /* of kinds "hold" and "wait" */
	VECTOR(struct traced_object) objects; /* in the order of their first use */
	struct hash_table places, addresses, ended;
	uint64_t *processes;     /* by thread: the index of its process */
	bool mortal;             /* events end objects */
	pthread_mutex_t looking; /* of object_index_find(), which many may call */
};

/*
 * Makes the index; waits until the instances are found. stop: set by others who do not want it any
 * more; then it is not complete.
 */
struct object_index *object_index_new(struct trace_index *t, const atomic_bool *stop);
void object_index_free(struct object_index *x);

/* Returns the object that an attribute of an event means, or NULL if nobody held or awaited it. */
struct traced_object *object_index_find(struct object_index *x, unsigned thread,
					const struct event *e, int attribute);

/* Returns the first span of an object that starts at the time or later. */
size_t object_seek(const struct traced_object *o, int64_t time);
/* Returns the first span of [i, end) that is at least that long, or end. */
size_t object_find_longer(const struct traced_object *o, size_t i, size_t end, int64_t length);
/* Returns the last span of a thread before end that ends at the time, or end. */
size_t object_find_ending(const struct traced_object *o, size_t end, unsigned thread, int64_t time);
/* Calls take, in order, for the spans before end that reach the time or beyond it. */
void object_reaching(const struct traced_object *o, size_t end, int64_t time,
		     void (*take)(void *context, const struct traced_object *o, size_t i),
		     void *context);
/* Finds the anchor of a span's instance. Returns false if it has none. */
bool object_anchor(const struct object_index *x, struct trace_index *t, const struct object_span *s,
		   event_id *anchor);

static inline bool object_holds(const struct object_index *x, const struct object_span *s)
{
	return x->roles.at[s->role].kind == KIND_HOLD;
}

/*
 * Returns the index of a trace's objects, which is made in the background the first time that it is
 * asked for; NULL if that takes longer than some milliseconds; patience < 0: waits. Stays until the
 * trace index grows, is renewed or freed. (viewers/gorge/logs, viewers/gorge/wasm)
 */
struct object_index *trace_index_objects(struct trace_index *t, long patience);
/* Drops it. */
void trace_index_forget_objects(struct trace_index *t);

#endif
