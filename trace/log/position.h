/* Finds positions in a log at which a cursor can start or stop. */
#ifndef GLIMPSE_TRACE_LOG_POSITION_H
#define GLIMPSE_TRACE_LOG_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log;
struct log_cursor;

/* A place before an event of a log, or at the log's end. */
struct position {
	const unsigned char *at;
	uint64_t upper, seq;
	uint64_t events;   /* how many are before it */
	size_t next;       /* as in a cursor */
	size_t checkpoint; /* how many checkpoints are before it */
	uint64_t unit;     /* its place, in words */
};

/* Returns the position before the first event at the time (CLOCK_MONOTONIC) or later. */
struct position position_find(const struct log *log, int64_t time);
/* Returns the time of the event after the position, which is not the log's end. */
int64_t position_time(const struct position *p, const struct log *log);

/* Returns the place of the event at that time with that record. */
uint64_t position_place(const struct log *log, int64_t time, const unsigned char *record);

/* Opens a cursor over the events between two positions; returns false if there are none. */
bool position_cursor(const struct position *from, const struct position *to, const struct log *log,
		     struct log_cursor *c);

/* Returns the seq of the event between two positions that has the unit. */
uint64_t position_seq(const struct position *from, const struct position *to, const struct log *log,
		      uint64_t unit);

/* Returns the time of the log's event number i * CHECKPOINT_EVENTS, in its order. */
int64_t log_checkpoint_time(const struct log *log, size_t i);

#endif
