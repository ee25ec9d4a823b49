/* Places in a log at which it can be taken up or left, and what lies between two of them. */
#ifndef GLIMPSE_TRACE_LOG_POSITION_H
#define GLIMPSE_TRACE_LOG_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log_cursor;
struct log;

/* Before an event of a log, or at the log's end. */
struct position {
	const unsigned char *at;
	uint64_t upper, seq;
	uint64_t events;        /* how many were read before it */
	size_t next;            /* as in a cursor */
	size_t checkpoint;            /* how many checkpoints are before it */
	uint64_t unit;          /* sorted logs: its place in the order; others: the record's, in words */
};

/* Before the first event at the time or later (CLOCK_MONOTONIC). The log has events. */
struct position position_find(const struct log *log, int64_t time);
/* The time of the event behind the position, which is not the log's end. */
int64_t position_time(const struct position *p, const struct log *log);

/* A cursor over the events from one position to the other; false when there are none. */
bool position_cursor(const struct position *from, const struct position *to, const struct log *log,
		     struct log_cursor *c);

/* Which event of its thread, counted from 0, the one of that unit between the two is. */
uint64_t position_seq(const struct position *from, const struct position *to,
		      const struct log *log, uint64_t unit);

/* The time of the log's events number 0, CHECKPOINT_EVENTS, 2 * CHECKPOINT_EVENTS... in its order. */
int64_t log_checkpoint_time(const struct log *log, size_t i);

#endif
