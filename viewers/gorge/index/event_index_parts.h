/* Declares the parts of an event index, for the files that make it and that walk through it. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_INDEX_PARTS_H
#define GLIMPSE_GORGE_INDEX_EVENT_INDEX_PARTS_H

#include "viewers/gorge/index/event_source.h"
#include <stdatomic.h>

/* Events of a block; blocks of a group, in which counts have 16 bits. */
enum { INDEX_BLOCK = 64, INDEX_GROUP = 512 };

struct index_thread {
	uint64_t events;
	size_t nblocks;
	int64_t *times;           /* of the blocks' first events */
	uint32_t *units;          /* of the same */
	struct index_stop *stops; /* the same */
	uint16_t *counts;         /* from the group's begin to a block; nkinds for each block */
	uint64_t *groups;         /* before each group; nkinds for each */
	uint64_t *totals;         /* nkinds */
};

struct event_index {
	atomic_uint holders;      /* its owner, and indices whose base it is */
	struct event_index *base; /* has the arrays of the threads; NULL: they are its own */
	const struct trace *trace;
	struct event_source *source;
	unsigned nkinds;
	unsigned *kinds;            /* by event_type.index: the first one */
	bool shifted;               /* some type has several */
	struct shift_range *ranges; /* by event_type.index */
	struct index_thread *threads;
	struct logical_order *order; /* has the times, not the logs; NULL: the logs have */
	struct index_room *room;     /* of the threads' arrays; NULL: these are in the heap */
};

/* Returns an index whose kinds are numbered, without events; NULL if a log is too large. */
struct event_index *event_index_begin(const struct trace *t);
/* Gives how many events of each kind come before a block. */
void event_index_counts_before(const struct event_index *x, const struct index_thread *t,
			       size_t block, uint64_t *counts);
/* Reads all of a thread. Returns false if there is no room for it. */
bool event_index_read_thread(const struct event_index *x, unsigned thread);
/*
 * Goes on to the end of a thread from e, its last block's first event; totals count what is before.
 */
void event_index_read_blocks(const struct event_index *x, unsigned thread, struct event_reading *r,
			     struct indexed_event *e);

static inline unsigned event_index_kind_of(const struct event_index *x,
					   const struct indexed_event *e)
{
	const struct event_type *type;

	if (!x->shifted)
		return x->kinds[e->type];
	type = x->trace->spec->events[e->type];
	if (type->offset_attribute < 0)
		return x->kinds[e->type];
	return x->kinds[e->type] +
	       shift_range_place(&x->ranges[e->type],
				 &(struct event){.type = type, .record = e->record});
}

/* ---- room for an index that grows (viewers/gorge/logs) ---- */

/*
 * Returns room that an index and those that grow out of it share; NULL if the trace does not grow.
 */
struct index_room *index_room_new(const struct trace *t, unsigned nkinds);
void index_room_release(struct index_room *r);
/* Returns how many blocks each thread has room for. */
size_t index_room_blocks(const struct index_room *r);
/* Returns an array for a thread, or NULL if there is no more room. */
void *index_room_take(struct index_room *r, size_t n, size_t size);

#endif
