/*
 * Cuts the stream into sections of time. Each can be merged alone, so several processors work on
 * several sections, and an event of a list is found by its section.
 */
#ifndef GLIMPSE_TRACE_STREAM_SECTION_H
#define GLIMPSE_TRACE_STREAM_SECTION_H

#include "trace/log/position.h"

struct opened;
struct trace;

/* The events of a log in a section. */
struct section_log {
	const unsigned char *records; /* of unit 0; NULL: section_record() finds them */
	uint32_t thread;              /* its number in the trace */
};

/*
 * An event of a section is a number: its time, counted from the section's, in the upper bits, then
 * its log, then its unit, counted from the section's position. The order of numbers is that of the
 * stream.
 */
struct section {
	int64_t time; /* of its first event, CLOCK_MONOTONIC */
	unsigned log_shift, time_shift;
	struct position *positions; /* by log; the next section has the ends */
	struct section_log *logs;
};

struct sections {
	struct section *list; /* count, and one for the end */
	size_t count, room;
};

/* How many events a section should have; tests make it small. */
extern size_t section_events;

/* Returns the trace's sections, made on first use; NULL when there is no memory. */
const struct sections *trace_sections(struct trace *t);

/* Opens a cursor over the events of a log in the section; returns false if there are none. */
bool section_cursor(const struct section *s, const struct log *log, size_t number,
		    struct log_cursor *c);

/* Returns how many events of all types the section has at most. */
size_t section_size(const struct trace *t, const struct section *s);

/* Returns the number of an event; the unit is counted from the section's position. */
static inline uint64_t section_number(const struct section *s, size_t log, int64_t time,
				      uint64_t unit)
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

static inline uint64_t section_unit(const struct section *s, uint64_t number)
{
	return number & ((UINT64_C(1) << s->log_shift) - 1);
}

/* Returns the record of an event, also where section_log.records is NULL. */
const unsigned char *section_record(const struct section *s, const struct log *logs,
				    uint64_t number);
/* Returns how many events of its log are before an event. */
uint64_t section_seq(const struct section *s, const struct log *logs, uint64_t number);

#endif
