/* What a event index is made of, and how the events are read that it counts. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_INDEX_PARTS_H
#define GLIMPSE_GORGE_INDEX_EVENT_INDEX_PARTS_H

#include "viewers/gorge/index/event_index.h"
#include <stdatomic.h>

/* Events of a block; blocks of a group, whose counts are kept in 16 bits from its beginning. */
enum { INDEX_BLOCK = 64, INDEX_GROUP = 512 };

/* Where events are read again from a block's first one on. */
struct index_stop {
	const unsigned char *at;
	uint64_t upper, seq;
	uint32_t next;
};

struct index_thread {
	uint64_t events;
	size_t nblocks;
	int64_t *times;         /* of the blocks' first events */
	uint32_t *units;        /* the same */
	struct index_stop *stops;
	uint16_t *counts;       /* before each block, from its group's begin; nkinds for each */
	uint64_t *groups;       /* before each group */
	uint64_t *totals;       /* in all */
};

struct event_index {
	atomic_uint holders;    /* it itself, until it is freed, and those whose base it is */
	struct event_index *base;    /* has what the threads have; NULL: they are its own */
	const struct trace *trace;
	struct event_source *source;
	unsigned nkinds;
	unsigned *kinds;        /* by event_type.index: the first one */
	bool shifted;           /* a type has several */
	struct shift_range *ranges;   /* the same */
	struct index_thread *threads;
	struct index_room *room; /* what the threads' arrays but the totals are part of, in which they grow; NULL: they do not */
};

/* Its kinds are numbered, nothing is read. NULL: a log is too large for it. */
struct event_index *event_index_begin(const struct trace *t);
bool event_index_has_shifts(const struct event_index *c);
/* Of each kind, before a block. */
void event_index_counts_before(const struct event_index *c, const struct index_thread *t, size_t block, uint64_t *counts);
/* Reads all of a thread; false: there is no room for it. */
bool event_index_read_thread(const struct event_index *c, unsigned thread);
/* Goes on to the end from the last block's first event, before which there are as many as the totals say. */
void event_index_read_blocks(const struct event_index *c, unsigned thread, struct event_reading *r, struct indexed_event *e);

static inline unsigned event_index_kind_of(const struct event_index *c, const struct indexed_event *e)
{
	const struct event_type *type;

	if (!c->shifted)
		return c->kinds[e->type];
	type = c->trace->spec->events[e->type];
	if (type->offset_attribute < 0)
		return c->kinds[e->type];
	return c->kinds[e->type] +
	       shift_range_place(&c->ranges[e->type], &(struct event){.type = type, .record = e->record});
}

/*
 * Where the events are: in logs; in a document, in tables. NULL: a thread has too many of them.
 */
struct event_source *event_source_new(const struct trace *t);
void event_source_free(struct event_source *s);
uint64_t event_source_events(const struct event_source *s, unsigned thread);
/* The thread's first event; that of a stop. */
bool event_source_begin(const struct event_source *s, unsigned thread, struct event_reading *r,
		  struct indexed_event *e);
void event_source_resume(const struct event_source *s, unsigned thread, const struct index_stop *stop,
		   struct event_reading *r, struct indexed_event *e);
/* The stop of the event that was just read. */
struct index_stop event_source_stop(const struct event_reading *r, const struct indexed_event *e);
const unsigned char *event_source_record(const struct event_source *s, unsigned thread, uint32_t unit);
/* The unit of an event of the trace, where it can be told; its seq may be missing. */
bool event_source_unit(const struct event_source *s, unsigned thread, const struct event *e, uint32_t *unit);

/* Where to read to: each of them is far enough. */
struct event_goal {
	int64_t time;
	uint32_t unit;
	unsigned events;        /* passed */
};

/* Passes events up to the goal, and counts those by their kinds, if counts are wanted. False: the end. */
bool event_source_read(const struct event_index *c, unsigned thread, struct event_reading *r,
		 struct indexed_event *e, const struct event_goal *goal, uint64_t *counts);

#endif
