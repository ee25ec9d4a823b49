/*
 * The stream in sections of time, each of which can be merged alone: what several processors work
 * on at a time, and what tells where an event of a list stands.
 */
#ifndef GLIMPSE_TRACE_STREAM_SECTION_H
#define GLIMPSE_TRACE_STREAM_SECTION_H

#include "trace/log/position.h"

struct opened;
struct trace;

/* Where events of a log are in a section: the record of unit 0; NULL: it is not that simple. */
struct section_log {
	const unsigned char *records;
	uint32_t thread;        /* its number in the trace */
};

/*
 * An event in a section is a number, of which the upper bits are its time, counted from the
 * section's; then follow its log and its unit, counted from the section's position. So the numbers
 * are in the order of the stream.
 */
struct section {
	int64_t time;                   /* of its first event, CLOCK_MONOTONIC */
	unsigned log_shift, time_shift;
	struct position *positions;     /* of each log; its end is in the section that follows */
	struct section_log *logs;
};

struct sections {
	struct section *list;           /* count, and one that stands for the end */
	size_t count, room;
};

/* How many events a section is to have; tests make it small. */
extern size_t section_events;

/* The trace's, made on first use. NULL: no memory. */
const struct sections *trace_sections(struct trace *t);

/* A cursor over the section's events of a log; false when there are none. */
bool section_cursor(const struct section *s, const struct log *log, size_t number, struct log_cursor *c);

/* At most so many events, of all types, are in it. */
size_t section_size(const struct trace *t, const struct section *s);

/* The unit is counted from the section's position. */
static inline uint64_t section_number(const struct section *s, size_t log, int64_t time, uint64_t unit)
{
	return (uint64_t)(time - s->time) << s->time_shift | (uint64_t)log << s->log_shift | unit;
}

static inline int64_t section_time(const struct section *s, uint64_t number)
{
	return s->time + (int64_t)(number >> s->time_shift);
}

static inline size_t section_log(const struct section *s, uint64_t number)
{
	return (number >> s->log_shift) & ((UINT64_C(1) << (s->time_shift - s->log_shift)) - 1);
}

/* Counted from the section's position. */
static inline uint64_t section_unit(const struct section *s, uint64_t number)
{
	return number & ((UINT64_C(1) << s->log_shift) - 1);
}

/* The event's record where section_log.records is NULL. */
const unsigned char *section_record(const struct section *s, const struct log *logs,
				    uint64_t number);
/* Of the event whose number is given: counts its log's events from 0. */
uint64_t section_seq(const struct section *s, const struct log *logs, uint64_t number);

#endif
