#include "trace/log/position.h"
#include "trace/log/cursor.h"

static int64_t checkpoint_time(const struct log *log, size_t i)
{
	const struct checkpoint *s = &log->checkpoints[i];

	return clock_ns(log->time, s->upper | RECORD_LOW_TIME(read_32(log_record(log, s->place))));
}

static int64_t sorted_time(const struct log *log, size_t i)
{
	return clock_ns(log->time, log->sorted[i].ticks);
}

int64_t log_checkpoint_time(const struct log *log, size_t i)
{
	return log->sorted ? sorted_time(log, i * CHECKPOINT_EVENTS) : checkpoint_time(log, i);
}

/* How many of the first n checkpoints, or events of a sorted log, are before the time. */
static size_t count_before(const struct log *log, size_t n, int64_t time,
			   int64_t (*time_of)(const struct log *, size_t))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (time_of(log, middle) < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A cursor before the event of a checkpoint. */
static void cursor_at_checkpoint(struct log_cursor *c, const struct log *log, size_t i)
{
	const struct checkpoint *s = &log->checkpoints[i];

	log_cursor_open(c, log);
	c->at = log_record(log, s->place);
	c->end = log->ranges[s->extent].end;
	c->upper = s->upper;
	c->seq = s->seq;
	c->next = s->extent + 1;
}

static struct position position_end(const struct log *log)
{
	const struct log_segment *p = &log->segments[log->nsegments - 1];
	struct position end = {.next = log->nranges, .checkpoint = log->ncheckpoints};

	end.unit = (p->place + p->size + 3) >> 2;
	if (log->nranges)
		end.at = log->ranges[log->nranges - 1].end;
	end.events = log->events;
	return end;
}

/* Before the first event at the time or later. */
struct position position_find(const struct log *log, int64_t time)
{
	struct position p = {0};
	struct log_cursor c;
	uint64_t ticks;

	if (log->sorted) {
		p.events = p.next = p.unit = count_before(log, log->events, time, sorted_time);
		return p;
	}
	p.checkpoint = count_before(log, log->ncheckpoints, time, checkpoint_time);
	p.events = p.checkpoint ? (p.checkpoint - 1) * CHECKPOINT_EVENTS : 0;
	cursor_at_checkpoint(&c, log, p.checkpoint ? p.checkpoint - 1 : 0);
	for (; log_cursor_step(&c, &ticks); p.events++) {
		if (log_cursor_ns(&c, ticks) < time)
			continue;
		p.at = c.record;
		p.upper = c.upper;
		p.seq = c.event_seq;
		p.next = c.next;
		p.unit = log_place(log, c.record) >> 2;
		return p;
	}
	return position_end(log);
}

int64_t position_time(const struct position *p, const struct log *log)
{
	if (log->sorted)
		return sorted_time(log, p->next);
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
	if (log->sorted)
		return true;
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
	/* the first stop between them may be behind the event, or be it */
	size_t low = from->checkpoint - (from->checkpoint > 0), high = to->checkpoint;
	uint64_t ticks;
	struct log_cursor c;

	if (log->sorted)
		return unit;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (log->checkpoints[middle].place <= unit << 2)
			low = middle;
		else
			high = middle;
	}
	cursor_at_checkpoint(&c, log, low);
	while (log_cursor_step(&c, &ticks) && c.record != log_record(log, unit << 2))
		;
	return c.event_seq;
}
