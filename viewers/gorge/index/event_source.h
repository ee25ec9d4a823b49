/*
 * Reads events for an event index: from logs (viewers/gorge/logs), or in an html document from
 * tables (viewers/gorge/wasm).
 */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_SOURCE_H
#define GLIMPSE_GORGE_INDEX_EVENT_SOURCE_H

#include "viewers/gorge/index/event_index.h"

/* An event of a thread as it is read. */
struct indexed_event {
	int64_t time;
	uint32_t unit;
	uint32_t type; /* event_type.index */
	const unsigned char *record;
	uint64_t seq;
};

/* Where reading goes on after an event: in a log, as a cursor has it (trace/log/cursor.h). */
struct event_reading {
	const unsigned char *at, *end;
	uint64_t upper, seq;
	size_t next;
	const struct clock_line *line;
};

/* Where reading begins again, at the first event of a block. */
struct index_stop {
	const unsigned char *at;
	uint64_t upper, seq;
	uint32_t next;
};

struct event_source;
/* Returns NULL if a thread has too many events. */
struct event_source *event_source_new(const struct trace *t);
void event_source_free(struct event_source *s);
/* Returns how many events a thread has. */
uint64_t event_source_events(const struct event_source *s, unsigned thread);

/* Reads a thread's first event. Returns false if there is none. */
bool event_source_begin(const struct event_source *s, unsigned thread, struct event_reading *r,
			struct indexed_event *e);
/* Reads the event of a stop. */
void event_source_resume(const struct event_source *s, unsigned thread,
			 const struct index_stop *stop, struct event_reading *r,
			 struct indexed_event *e);
/* Returns the stop of the event that was read last. */
struct index_stop event_source_stop(const struct event_reading *r, const struct indexed_event *e);

/* Where reading ends: at a time, at a unit, or after some events, whatever is first. */
struct event_goal {
	int64_t time;
	uint32_t unit;
	unsigned events;
};

/*
 * Passes events up to the goal, and reads the next event of the goal. Adds the events it passes to
 * the counts of their kinds, unless counts is NULL. Returns false at the end.
 */
bool event_source_read(const struct event_index *x, unsigned thread, struct event_reading *r,
		       struct indexed_event *e, const struct event_goal *goal, uint64_t *counts);

/* Returns the record of an event. */
const unsigned char *event_source_record(const struct event_source *s, unsigned thread,
					 uint32_t unit);
/*
 * Finds the unit of an event of the trace, which may lack its seq. Returns false if only a walk
 * can.
 */
bool event_source_unit(const struct event_source *s, unsigned thread, const struct event *e,
		       uint32_t *unit);

#endif
