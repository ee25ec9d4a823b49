#include "trace/log/position.h"
#include "base/search.h"
#include "trace/log/cursor.h"
#include <stdlib.h>

int64_t log_checkpoint_time(const struct log *log, size_t i)
{
	const struct checkpoint *s = &log->checkpoints[i];

	return clock_ns(log->time, s->upper | RECORD_LOW_TIME(read_32(log_record(log, s->place))));
}

/* Opens a cursor before the event of a checkpoint. */
static void cursor_at_checkpoint(struct log_cursor *c, const struct log *log, size_t i)
{
	const struct checkpoint *s = &log->checkpoints[i];

	log_cursor_open(c, log);
	c->at = log_record(log, s->place);
	c->end = log->ranges[s->range].end;
	c->upper = s->upper;
	c->seq = s->seq;
	c->next = s->range + 1;
}

static struct position position_end(const struct log *log)
{
	struct position end = {.next = log->nranges, .checkpoint = log->ncheckpoints};

	end.unit = log_units(log);
	if (log->nranges)
		end.at = log->ranges[log->nranges - 1].end;
	end.events = log->events;
	return end;
}

struct position position_find(const struct log *log, int64_t time)
{
	struct position p = {0};
	struct log_cursor c;
	uint64_t ticks;

	p.checkpoint = lower_bound(i, 0, log->ncheckpoints, log_checkpoint_time(log, i) < time);
	p.events = p.checkpoint ? (p.checkpoint - 1) * CHECKPOINT_EVENTS : 0;
	cursor_at_checkpoint(&c, log, p.checkpoint ? p.checkpoint - 1 : 0);
	for (; log_cursor_step(&c, &ticks); p.events++) {
		if (log_cursor_ns(&c, ticks) < time)
			continue;
		p.at = c.record;
		p.upper = c.upper;
		p.seq = c.event_seq;
		p.next = c.next;
		p.unit = log_place(log, c.next, c.record) >> 2;
		return p;
	}
	return position_end(log);
}

/* Returns the time of a merged log's range, which begins with an event. */
static int64_t range_time(const struct log *log, size_t i)
{
	const struct record_range *r = &log->ranges[i];

	return clock_ns(log->time, r->upper | RECORD_LOW_TIME(read_32(r->start)));
}

static bool range_has(const struct record_range *r, const unsigned char *record)
{
	return record >= r->start && record < r->end;
}

uint64_t position_place(const struct log *log, int64_t time, const unsigned char *record)
{
	size_t i;

	if (!log->merged)
		return log_place(log, 0, record);
	i = lower_bound(k, (size_t)0, log->nranges, range_time(log, k) <= time);
	while (i > 1 && !range_has(&log->ranges[i - 1], record))
		i--;
	return log_place(log, i, record);
}

int64_t position_time(const struct position *p, const struct log *log)
{
	return clock_ns(log->time, p->upper | RECORD_LOW_TIME(read_32(p->at)));
}

bool position_cursor(const struct position *from, const struct position *to, const struct log *log,
		     struct log_cursor *c)
{
	if (from->events == to->events)
		return false;
	log_cursor_open(c, log);
	c->next = from->next;
	c->last = to->next;
	c->at = from->at;
	c->bound = to->at;
	c->end = from->next == to->next ? to->at : log->ranges[from->next - 1].end;
	c->upper = from->upper;
	c->seq = from->seq;
	c->line = clock_find(log->time, c->upper);
	return true;
}

uint64_t position_seq(const struct position *from, const struct position *to, const struct log *log,
		      uint64_t unit)
{
	/* the first checkpoint between them may be after the event, or at it */
	size_t first = from->checkpoint - (from->checkpoint > 0);
	uint64_t ticks;
	struct log_cursor c;

	cursor_at_checkpoint(
	    &c, log,
	    lower_bound(i, first + 1, to->checkpoint, log->checkpoints[i].place <= unit << 2) - 1);
	while (log_cursor_step(&c, &ticks) && c.record != log_record(log, unit << 2))
		;
	return c.event_seq;
}
