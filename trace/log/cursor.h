/* Reads the events of one log, in the order of its times. Inline: the inner loop of every pass. */
#ifndef GLIMPSE_TRACE_LOG_CURSOR_H
#define GLIMPSE_TRACE_LOG_CURSOR_H

#include "trace/format/record.h"
#include "trace/log/log.h"

/* Bytes to prefetch ahead; the processor does not go beyond the end of the page itself. */
#define CURSOR_AHEAD 1024

struct log_cursor {
	const unsigned char *at, *end; /* the next record, and the end of its range */
	const struct id_row *rows;
	uint64_t upper; /* of the time, in place */
	uint64_t seq;   /* of the next event */
	size_t stride;  /* bytes of the event before, if it had no strings */
	const struct clock_line *line;
	const struct log *log;
	size_t next;                /* range */
	size_t last;                /* the first that is not read */
	const unsigned char *bound; /* where the last range is left; NULL: at its end */
	/* The event that was read. */
	int64_t time; /* CLOCK_MONOTONIC */
	const unsigned char *record;
	uint64_t event_seq;
	uint32_t type; /* in the trace's specification */
};

static inline void log_cursor_open(struct log_cursor *c, const struct log *log)
{
	*c = (struct log_cursor){
	    .log = log, .rows = log->ids ? log->ids->rows : NULL, .last = log->nranges};
	c->line = clock_find(log->time, log->first);
}

/* Enters the next range. */
static inline bool log_cursor_enter(struct log_cursor *c)
{
	const struct record_range *r;

	if (c->next == c->last)
		return false;
	r = &c->log->ranges[c->next++];
	c->at = r->start;
	c->end = c->next == c->last && c->bound ? c->bound : r->end;
	c->upper = r->upper;
	c->seq = r->seq;
	return true;
}

static inline int64_t log_cursor_ns(struct log_cursor *c, uint64_t ticks)
{
	if (__builtin_expect(!clock_line_has(c->line, ticks), 0)) {
		c->line = clock_find(c->log->time, ticks);
		return clock_ns(c->log->time, ticks);
	}
	return clock_line_ns(c->line, ticks);
}

static inline size_t log_cursor_size(struct log_cursor *c, const struct id_row *row)
{
	if (stride_fits(c->stride, row))
		return stride_take(c->stride);
	c->stride = row->strings ? 0 : row->size;
	return event_size(row, c->at);
}

/* Reads the next event of any type in the order of records, and its ticks. */
static inline bool log_cursor_step(struct log_cursor *c, uint64_t *ticks)
{
	for (;;) {
		const struct id_row *row;
		uint32_t word;

		/* the last range may be left where it begins */
		while (__builtin_expect(c->at == c->end, 0))
			if (!log_cursor_enter(c))
				return false;
		__builtin_prefetch(c->at + CURSOR_AHEAD);
		word = read_32(c->at);
		row = &c->rows[RECORD_ID(word)];
		if (__builtin_expect(row->size != 0, 1)) {
			c->record = c->at;
			c->at += log_cursor_size(c, row);
			c->event_seq = c->seq++;
			c->type = row->type;
			*ticks = c->upper | RECORD_LOW_TIME(word);
			return true;
		} else if (RECORD_ID(word) == RECORD_TIME) {
			c->upper = time_upper(c->at);
			c->at += TIME_SIZE;
		} else {
			c->at += note_size(c->at);
		}
	}
}

/* Reads the next event of a type that the trace has, and its ticks. */
static inline bool log_cursor_ticks(struct log_cursor *c, uint64_t *ticks)
{
	do
		if (!log_cursor_step(c, ticks))
			return false;
	while (__builtin_expect(c->type == NO_TYPE, 0));
	return true;
}

/* Reads the next event of a type that the trace has, and its time. */
static inline bool log_cursor_next(struct log_cursor *c)
{
	uint64_t ticks;

	if (!log_cursor_ticks(c, &ticks))
		return false;
	c->time = log_cursor_ns(c, ticks);
	return true;
}

#endif
