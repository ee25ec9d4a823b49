/*
 * Lists moments in the order of the stream, for each end of an interval. The moments are all events
 * of one type, or the starts or ends of another interval's instances.
 */
#ifndef GLIMPSE_TRACE_STREAM_MOMENTS_H
#define GLIMPSE_TRACE_STREAM_MOMENTS_H

#include "base/search.h"
#include "trace/stream/event_list.h"

struct moments {
	const struct trace *trace;
	size_t count;
	const struct event_list *list; /* has the events; NULL: they are in the array */
	const struct event *events;
	const uint64_t *ranks; /* of the events in the array */
	uint32_t *pick;        /* owned; the moments' indices in the list; NULL: all */
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

/* Reads a moment, but not its seq. */
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
 * Reads a moment without the thread's name, for expressions that do not use it. Field by field: a
 * copy of the struct would wait for the stores before it.
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
	o->process = 0;
}

static inline struct operand moments_operand(const struct moments *m, size_t i)
{
	struct event e;

	moments_look(m, i, &e);
	return event_operand(m->trace, &e);
}

/* Reads what expressions use of a moment; names: also the name of its thread, and its process. */
static inline void moments_bind(const struct moments *m, size_t i, bool names, struct operand *o)
{
	if (names)
		*o = moments_operand(m, i);
	else
		moments_nameless(m, i, o);
}

/* Returns the first moment with at least that rank, or count if there is none. */
static inline size_t moments_from(const struct moments *m, event_rank rank)
{
	return lower_bound(i, 0, m->count, moments_rank(m, i) < rank);
}

/* ---- moments in order ---- */

#define MOMENT_WALK_OVER (~(event_rank)0)

/* Goes through moments in order, and keeps track of their section. */
struct moment_walk {
	const struct moments *moments;
	const struct event_list *list; /* all its events are the moments; NULL: not so */
	size_t at, end;
	size_t section, until; /* the list's section, and where the next begins */
	event_rank rank;       /* of the current moment; MOMENT_WALK_OVER: none is left */
};

static inline void moment_walk_look(struct moment_walk *w)
{
	if (w->at >= w->end) {
		w->rank = MOMENT_WALK_OVER;
	} else if (w->list) {
		while (w->at >= w->until)
			w->until = section_until(w->list, ++w->section);
		w->rank = entry_rank_in(w->list, w->at, w->section);
	} else {
		w->rank = moments_rank(w->moments, w->at);
	}
}

/* Begins a walk over the moments from `from` up to `to`. */
static inline struct moment_walk moment_walk_begin(const struct moments *m, size_t from, size_t to)
{
	struct moment_walk w = {
	    .moments = m, .list = m->pick ? NULL : m->list, .at = from, .end = to};

	if (w.list && from < to) {
		w.section = entry_section(w.list, from);
		w.until = section_until(w.list, w.section);
	}
	moment_walk_look(&w);
	return w;
}

static inline void moment_walk_next(struct moment_walk *w)
{
	w->at++;
	moment_walk_look(w);
}

/* Reads the current moment, but not its seq. */
static inline void moment_walk_event(const struct moment_walk *w, struct event *e)
{
	if (w->list)
		entry_decode(w->list, w->at, w->section, e);
	else
		moments_look(w->moments, w->at, e);
}

#endif
