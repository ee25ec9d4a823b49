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

static inline event_id id_make(unsigned thread, uint32_t unit)
{
	return (uint64_t)thread << 32 | unit;
}

static inline unsigned id_thread(event_id id)
{
	return (unsigned)(id >> 32);
}

static inline uint32_t id_unit(event_id id)
{
	return (uint32_t)id;
}

struct census;
/* Reads all logs, on all processors. NULL: a log is too large for it. */
struct census *census_new(const struct trace *t);
/*
 * The same of a trace that grew out of its own (trace/open/grow.h). NULL: the logs have to be read anew. Where entries are in
 * both they are the same, and blocks and units of events are.
 */
struct census *census_grow(const struct census *from, const struct trace *t);
/* The same of a trace that was told anew (trace/open/respecify.h), with which it shares all that was read. */
struct census *census_retell(struct census *from, const struct trace *t);
void census_free(struct census *c);

const struct trace *census_trace(const struct census *c);
unsigned census_kinds(const struct census *c);
/* The type's first kind, and how many it has. */
unsigned census_kind(const struct census *c, const struct event_type *type, unsigned *n);
const struct range *census_range(const struct census *c, const struct event_type *type);
/* Of each kind, in the whole thread. */
const uint64_t *census_totals(const struct census *c, unsigned thread);
/* Of an event of the trace; its seq may be missing. */
event_id census_id(const struct census *c, const struct event *e);

/* An event of a thread as it is read. */
struct census_event {
	int64_t time;
	uint32_t unit;
	uint32_t type;          /* event_type.index */
	const unsigned char *record;
	uint64_t seq;
};

/* Where reading goes on behind it: in a log, as a cursor has it (trace/log/cursor.h). */
struct census_reading {
	const unsigned char *at, *end;
	uint64_t upper, seq;
	size_t next;
	const struct clock_line *line;
};

/* A way through the events of one thread, which only goes on. */
struct census_walk {
	const struct census *census;
	unsigned thread;
	uint64_t *counts;       /* of each kind before it; NULL: they are not wanted */
	bool ended;
	struct census_event at; /* before which it stands; at the end its time and unit are the greatest */
	struct census_reading reading;
	size_t next_block, stride;
};

/* Before the first step to somewhere. counts: room for each kind, or NULL. Nothing has to be freed. */
void walk_begin(struct census_walk *w, const struct census *c, unsigned thread, uint64_t *counts);
/* To the first event that is at the time or later; to that with the unit or behind it. */
void walk_to_time(struct census_walk *w, int64_t time);
void walk_to_unit(struct census_walk *w, uint32_t unit);
/*
 * To one time after the other, which ascend, as many at once as can be: they are found before the logs are read,
 * whose parts are asked for before they are needed. Calls stand at each.
 */
void walk_times(struct census_walk *w, const int64_t *times, size_t n,
		void (*stand)(void *context, size_t i), void *context);
/* Behind the event that it stands before. */
void walk_step(struct census_walk *w);
/* What it stands before; false: the end. */
bool walk_event(const struct census_walk *w, struct event *e);

/* The unit of the thread's first event that is at the time or later; UINT32_MAX: there is none. */
uint32_t census_seek(const struct census *c, unsigned thread, int64_t time);
int64_t census_time(const struct census *c, event_id id);
/* False: there is no such event. */
bool census_event(const struct census *c, event_id id, struct event *e);
/* The record of an event that there is. */
const unsigned char *census_record(const struct census *c, event_id id);
/* The thread's first event of the kind that is the one given or behind it. */
bool census_find(const struct census *c, event_id id, unsigned kind, event_id *found);

/* In ascending units [i, end): the first that is not below the unit; cheap when it is near to i. */
size_t units_seek(const uint32_t *units, size_t i, size_t end, uint32_t unit);
/* The same when it is near to guess, which is not before i. */
size_t units_near(const uint32_t *units, size_t i, size_t end, size_t guess, uint32_t unit);

/* How many events of its type stand before it in the stream; and the event before which so many do. */
uint64_t census_rank(const struct census *c, const struct event *e);
bool census_select(const struct census *c, const struct event_type *type, uint64_t rank, event_id *id);

#endif
