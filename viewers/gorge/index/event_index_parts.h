/* What a census is made of, and how the events are read that it counts. */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_INDEX_PARTS_H
#define GLIMPSE_GORGE_INDEX_EVENT_INDEX_PARTS_H

#include "viewers/gorge/index/event_index.h"
#include <stdatomic.h>

/* Events of a block; blocks of a group, whose counts are kept in 16 bits from its beginning. */
enum { CENSUS_BLOCK = 64, CENSUS_GROUP = 512 };

/* Where events are read again from a block's first one on. */
struct census_stop {
	const unsigned char *at;
	uint64_t upper, seq;
	uint32_t next;
};

struct census_thread {
	uint64_t events;
	size_t nblocks;
	int64_t *times;         /* of the blocks' first events */
	uint32_t *units;        /* the same */
	struct census_stop *stops;
	uint16_t *counts;       /* before each block, from its group's begin; nkinds for each */
	uint64_t *groups;       /* before each group */
	uint64_t *totals;       /* in all */
};

struct census {
	atomic_uint holders;    /* it itself, until it is freed, and those whose base it is */
	struct census *base;    /* has what the threads have; NULL: they are its own */
	const struct trace *trace;
	struct census_source *source;
	unsigned nkinds;
	unsigned *kinds;        /* by event_type.index: the first one */
	bool shifted;           /* a type has several */
	struct range *ranges;   /* the same */
	struct census_thread *threads;
	struct census_room *room; /* what the threads' arrays but the totals are part of, in which they grow; NULL: they do not */
};

/* Its kinds are numbered, nothing is read. NULL: a log is too large for it. */
struct census *census_begin(const struct trace *t);
bool census_has_shifts(const struct census *c);
/* Of each kind, before a block. */
void census_counts_before(const struct census *c, const struct census_thread *t, size_t block, uint64_t *counts);
/* Reads all of a thread; false: there is no room for it. */
bool census_read_thread(const struct census *c, unsigned thread);
/* Goes on to the end from the last block's first event, before which there are as many as the totals say. */
void census_read_blocks(const struct census *c, unsigned thread, struct census_reading *r, struct census_event *e);

static inline unsigned census_kind_of(const struct census *c, const struct census_event *e)
{
	const struct event_type *type;

	if (!c->shifted)
		return c->kinds[e->type];
	type = c->trace->spec->events[e->type];
	if (type->offset_attribute < 0)
		return c->kinds[e->type];
	return c->kinds[e->type] +
	       range_shift(&c->ranges[e->type], &(struct event){.type = type, .record = e->record});
}

/*
 * Where the events are: in logs; in a document, in tables. NULL: a thread has too many of them.
 */
struct census_source *census_source_new(const struct trace *t);
void census_source_free(struct census_source *s);
uint64_t census_source_events(const struct census_source *s, unsigned thread);
/* The thread's first event; that of a stop. */
bool census_source_begin(const struct census_source *s, unsigned thread, struct census_reading *r,
		  struct census_event *e);
void census_source_resume(const struct census_source *s, unsigned thread, const struct census_stop *stop,
		   struct census_reading *r, struct census_event *e);
/* The stop of the event that was just read. */
struct census_stop census_source_stop(const struct census_reading *r, const struct census_event *e);
const unsigned char *census_source_record(const struct census_source *s, unsigned thread, uint32_t unit);
/* The unit of an event of the trace, where it can be told; its seq may be missing. */
bool census_source_unit(const struct census_source *s, unsigned thread, const struct event *e, uint32_t *unit);

/* Where to read to: each of them is far enough. */
struct census_goal {
	int64_t time;
	uint32_t unit;
	unsigned events;        /* passed */
};

/* Passes events up to the goal, and counts those by their kinds, if counts are wanted. False: the end. */
bool census_read(const struct census *c, unsigned thread, struct census_reading *r,
		 struct census_event *e, const struct census_goal *goal, uint64_t *counts);

#endif
