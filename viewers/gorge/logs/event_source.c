/* Events of an index, read from their logs. */
#include "trace/log/cursor.h"
#include "trace/log/position.h"
#include "trace/open/opened.h"
#include "viewers/gorge/index/event_index_parts.h"

/* Returns the log of a thread of the source, which is the trace itself. */
static const struct log *log_of(const struct event_source *s, unsigned thread)
{
	return &((const struct opened *)(const void *)s)->logs[thread];
}

/* Units are words of the log, and have 32 bits. */
static bool too_large(const struct log *l)
{
	const struct log_segment *last = l->nsegments ? &l->segments[l->nsegments - 1] : NULL;

	return (last && (last->place + last->size) >> 2 >= UINT32_MAX) || l->events >= UINT32_MAX;
}

struct event_source *event_source_new(const struct trace *t)
{
	struct opened *o = opened_of(t);

	for (size_t i = 0; i < o->nlogs; i++)
		if (too_large(&o->logs[i]))
			return NULL;
	return (struct event_source *)(void *)o;
}

void event_source_free(struct event_source *s)
{
	(void)s;
}

uint64_t event_source_events(const struct event_source *s, unsigned thread)
{
	return log_of(s, thread)->used;
}

static int64_t origin_of(const struct event_source *s)
{
	return ((const struct trace *)(const void *)s)->origin;
}

static inline struct log_cursor cursor_from(const struct log *log, const struct event_reading *r)
{
	return (struct log_cursor){
	    .at = r->at,
	    .end = r->end,
	    .upper = r->upper,
	    .seq = r->seq,
	    .next = r->next,
	    .rows = log->ids ? log->ids->rows : NULL,
	    .line = r->line,
	    .log = log,
	    .last = log->nranges,
	};
}

static inline void event_source_keep(struct event_reading *r, const struct log_cursor *c)
{
	r->at = c->at;
	r->end = c->end;
	r->upper = c->upper;
	r->seq = c->seq;
	r->next = c->next;
	r->line = c->line;
}

static inline bool read_next(struct log_cursor *c, int64_t origin, struct indexed_event *e)
{
	if (!log_cursor_next(c))
		return false;
	e->time = c->time - origin;
	e->unit = (uint32_t)(log_place(c->log, c->next, c->record) >> 2);
	e->type = c->type;
	e->record = c->record;
	e->seq = c->event_seq;
	return true;
}

bool event_source_begin(const struct event_source *s, unsigned thread, struct event_reading *r,
			struct indexed_event *e)
{
	struct log_cursor c;
	bool good;

	log_cursor_open(&c, log_of(s, thread));
	good = read_next(&c, origin_of(s), e);
	event_source_keep(r, &c);
	return good;
}

struct index_stop event_source_stop(const struct event_reading *r, const struct indexed_event *e)
{
	return (struct index_stop){e->record, r->upper, e->seq, (uint32_t)r->next};
}

void event_source_resume(const struct event_source *s, unsigned thread,
			 const struct index_stop *stop, struct event_reading *r,
			 struct indexed_event *e)
{
	const struct log *log = log_of(s, thread);
	struct log_cursor c;

	r->at = stop->at;
	r->upper = stop->upper;
	r->seq = stop->seq;
	r->next = stop->next;
	r->end = log->ranges[stop->next - 1].end;
	r->line = r->line ? r->line : log->time->lines;
	c = cursor_from(log, r);
	read_next(&c, origin_of(s), e);
	event_source_keep(r, &c);
}

bool event_source_unit(const struct event_source *s, unsigned thread, const struct event *e,
		       uint32_t *unit)
{
	int64_t time = e->time + origin_of(s);

	*unit = (uint32_t)(position_place(log_of(s, thread), time, e->record) >> 2);
	return true;
}

const unsigned char *event_source_record(const struct event_source *s, unsigned thread,
					 uint32_t unit)
{
	return log_record(log_of(s, thread), (uint64_t)unit << 2);
}

/*
 * Returns whether the event at the place can be passed without more ado, in this line of the clock;
 * sets its time.
 */
static inline bool is_plain(const struct log_cursor *c, const struct id_row *row, uint32_t word,
			    int64_t *time)
{
	uint64_t ticks = c->upper | RECORD_LOW_TIME(word);

	if (row->size == 0 || row->strings || row->type == NO_TYPE ||
	    !clock_line_has(c->line, ticks))
		return false;
	*time = clock_line_ns(c->line, ticks);
	return true;
}

/* Passes up to n events while the next one is of fixed size and before the goal. Gives how many. */
static inline unsigned pass_plain(const struct event_index *event_index, struct log_cursor *c,
				  int64_t origin, struct indexed_event *e,
				  const struct event_goal *goal, unsigned n, uint64_t *counts)
{
	const unsigned char *at = c->at, *end = c->end;
	size_t units = goal->unit - e->unit, stride = 0;
	struct indexed_event now = *e;
	unsigned passed = 0;
	int64_t time;

	if ((size_t)(end - e->record) >> 2 > units)
		end = e->record + 4 * units;
	for (; passed < n && at < end; passed++) {
		uint32_t word = read_32(at);
		const struct id_row *row = &c->rows[RECORD_ID(word)];
		if (!is_plain(c, row, word, &time) || time - origin >= goal->time)
			break;
		if (counts)
			counts[event_index_kind_of(event_index, &now)]++;
		now.time = time - origin;
		now.record = at;
		now.type = row->type;
		at += stride_fits(stride, row) ? stride_take(stride) : (stride = row->size);
	}
	if (passed == 0)
		return 0;
	c->at = at;
	c->seq += passed;
	now.seq = c->seq - 1;
	now.unit = e->unit + (uint32_t)((size_t)(now.record - e->record) >> 2);
	*e = now;
	return passed;
}

bool event_source_read(const struct event_index *event_index, unsigned thread,
		       struct event_reading *r, struct indexed_event *e,
		       const struct event_goal *goal, uint64_t *counts)
{
	struct log_cursor c = cursor_from(log_of(event_index->source, thread), r);
	int64_t origin = origin_of(event_index->source);
	bool good = true;

	for (unsigned n = goal->events; n && e->time < goal->time && e->unit < goal->unit; n--) {
		n -= pass_plain(event_index, &c, origin, e, goal, n - 1, counts);
		if (counts)
			counts[event_index_kind_of(event_index, e)]++;
		good = read_next(&c, origin, e);
		if (!good)
			break;
	}
	event_source_keep(r, &c);
	return good;
}
