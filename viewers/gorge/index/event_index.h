/*
 * How many events of each kind every thread has before any of its moments, and where in its log
 * they are: one entry for every BLOCK events of the log, which is read again from there. It costs
 * less than a byte for each event, and nothing else has to be kept of them.
 *
 * A kind is an event type; one that an attribute shifts has SHIFTS kinds, one for each shift. An
 * event's unit is its place in its thread's log, and ascends with its time.
 */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_INDEX_H
#define GLIMPSE_GORGE_INDEX_EVENT_INDEX_H

#include "viewers/gorge/index/shifts.h"

/* Threads are told by their index in the trace. An event of the trace: its thread above its unit. */
typedef uint64_t event_id;

static inline event_id event_id_make(unsigned thread, uint32_t unit)
{
	return (uint64_t)thread << 32 | unit;
}

static inline unsigned event_id_thread(event_id id)
{
	return (unsigned)(id >> 32);
}

static inline uint32_t event_id_unit(event_id id)
{
	return (uint32_t)id;
}

struct event_index;
/* Reads all logs, on all processors. NULL: a log is too large for it. */
struct event_index *event_index_new(const struct trace *t);
/*
 * The same of a trace that grew out of its own (trace/open/grow.h). NULL: the logs have to be read anew. Where entries are in
 * both they are the same, and blocks and units of events are.
 */
struct event_index *event_index_grow(const struct event_index *from, const struct trace *t);
/* The same of a trace that was told anew (trace/open/respecify.h), with which it shares all that was read. */
struct event_index *event_index_respecify(struct event_index *from, const struct trace *t);
void event_index_free(struct event_index *c);

const struct trace *event_index_trace(const struct event_index *c);
unsigned event_index_kinds(const struct event_index *c);
/* The type's first kind, and how many it has. */
unsigned event_index_kind(const struct event_index *c, const struct event_type *type, unsigned *n);
const struct shift_range *event_index_range(const struct event_index *c, const struct event_type *type);
/* Of each kind, in the whole thread. */
const uint64_t *event_index_totals(const struct event_index *c, unsigned thread);
/* Of an event of the trace; its seq may be missing. */
event_id event_index_id(const struct event_index *c, const struct event *e);

/* An event of a thread as it is read. */
struct indexed_event {
	int64_t time;
	uint32_t unit;
	uint32_t type;          /* event_type.index */
	const unsigned char *record;
	uint64_t seq;
};

/* Where reading goes on behind it: in a log, as a cursor has it (trace/log/cursor.h). */
struct event_reading {
	const unsigned char *at, *end;
	uint64_t upper, seq;
	size_t next;
	const struct clock_line *line;
};

/* A way through the events of one thread, which only goes on. */
struct event_walk {
	const struct event_index *event_index;
	unsigned thread;
	uint64_t *counts;       /* of each kind before it; NULL: they are not wanted */
	bool ended;
	struct indexed_event at; /* before which it stands; at the end its time and unit are the greatest */
	struct event_reading reading;
	size_t next_block, stride;
};

/* Before the first step to somewhere. counts: room for each kind, or NULL. Nothing has to be freed. */
void event_walk_begin(struct event_walk *w, const struct event_index *c, unsigned thread, uint64_t *counts);
/* To the first event that is at the time or later; to that with the unit or behind it. */
void event_walk_to_time(struct event_walk *w, int64_t time);
void event_walk_to_unit(struct event_walk *w, uint32_t unit);
/*
 * To one time after the other, which ascend, as many at once as can be: they are found before the logs are read,
 * whose parts are asked for before they are needed. Calls stand at each.
 */
void event_walk_times(struct event_walk *w, const int64_t *times, size_t n,
		void (*stand)(void *context, size_t i), void *context);
/* Behind the event that it stands before. */
void event_walk_step(struct event_walk *w);
/* What it stands before; false: the end. */
bool event_walk_event(const struct event_walk *w, struct event *e);

/* The unit of the thread's first event that is at the time or later; UINT32_MAX: there is none. */
uint32_t event_index_seek(const struct event_index *c, unsigned thread, int64_t time);
int64_t event_index_time(const struct event_index *c, event_id id);
/* False: there is no such event. */
bool event_index_event(const struct event_index *c, event_id id, struct event *e);
/* The record of an event that there is. */
const unsigned char *event_index_record(const struct event_index *c, event_id id);
/* The thread's first event of the kind that is the one given or behind it. */
bool event_index_find(const struct event_index *c, event_id id, unsigned kind, event_id *found);

/* In ascending units [i, end): the first that is not below the unit; cheap when it is near to i. */
size_t units_seek(const uint32_t *units, size_t i, size_t end, uint32_t unit);
/* The same when it is near to guess, which is not before i. */
size_t units_near(const uint32_t *units, size_t i, size_t end, size_t guess, uint32_t unit);

/* How many events of its type stand before it in the stream; and the event before which so many do. */
uint64_t event_index_rank(const struct event_index *c, const struct event *e);
bool event_index_select(const struct event_index *c, const struct event_type *type, uint64_t rank, event_id *id);

#endif
