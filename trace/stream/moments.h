/*
 * A sequence of moments in the order of the stream: what an interval's two ends range over. The
 * moments are all events of one type, or the starts or ends of another interval's instances.
 */
#ifndef GLIMPSE_TRACE_STREAM_MOMENTS_H
#define GLIMPSE_TRACE_STREAM_MOMENTS_H

#include "trace/stream/event_list.h"

struct moments {
	const struct trace *trace;
	size_t count;
	const struct event_list *list;  /* where the events are; NULL: in the array that follows */
	const struct event *events;
	const uint64_t *ranks;          /* of the events in that array */
	uint32_t *pick;         /* which events of the list the moments are; NULL: all; owned */
};

static inline size_t moments_place(const struct moments *m, size_t i)
{
	return m->pick ? m->pick[i] : i;
}

static inline void moments_event(const struct moments *m, size_t i, struct event *e)
{
	size_t place = moments_place(m, i);

	if (m->list)
		event_list_get(m->list, place, e);
	else
		*e = m->events[place];
}

/* But for its seq. */
static inline void moments_look(const struct moments *m, size_t i, struct event *e)
{
	size_t place = moments_place(m, i);

	if (m->list)
		entry_look(m->list, place, e);
	else
		*e = m->events[place];
}

static inline event_rank moments_rank(const struct moments *m, size_t i)
{
	size_t place = moments_place(m, i);

	return m->list ? entry_rank(m->list, place) : m->ranks[place];
}

static inline int64_t moments_time(const struct moments *m, size_t i)
{
	size_t place = moments_place(m, i);

	return m->list ? entry_time(m->list, place) : m->events[place].time;
}

/*
 * Without the thread's name, for expressions that do not ask for it. Field by field: a copy of the
 * whole would wait for the stores before it.
 */
static inline void moments_nameless(const struct moments *m, size_t i, struct operand *o)
{
	struct event e;

	moments_look(m, i, &e);
	o->event = e.type;
	o->record = e.record;
	o->time = e.time;
	o->thread = e.thread;
	o->owner = NULL;
}

static inline struct operand moments_operand(const struct moments *m, size_t i)
{
	struct event e;

	moments_look(m, i, &e);
	return event_operand(m->trace, &e);
}

/* What an expression asks of a moment; names: the thread's, too. */
static inline void moments_bind(const struct moments *m, size_t i, bool names, struct operand *o)
{
	if (names)
		*o = moments_operand(m, i);
	else
		moments_nameless(m, i, o);
}

/* The first of the moments whose rank is at least the one given; count when there is none. */
size_t moments_from(const struct moments *m, event_rank rank);

#endif
