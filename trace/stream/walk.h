/* Going through moments in their order, which knows in which section of the stream it is. */
#ifndef GLIMPSE_TRACE_STREAM_WALK_H
#define GLIMPSE_TRACE_STREAM_WALK_H

#include "trace/stream/moments.h"

#define WALK_OVER (~(event_rank)0)

struct walk {
	const struct moments *moments;
	const struct event_list *list;  /* of which the moments are all events; NULL: they are not */
	size_t at, end;
	size_t section, until;          /* where the list's next section begins */
	event_rank rank;                /* of the moment at hand; WALK_OVER: none is left */
};

static inline void walk_look(struct walk *w)
{
	if (w->at >= w->end) {
		w->rank = WALK_OVER;
	} else if (w->list) {
		while (w->at >= w->until)
			w->until = section_until(w->list, ++w->section);
		w->rank = entry_rank_in(w->list, w->at, w->section);
	} else {
		w->rank = moments_rank(w->moments, w->at);
	}
}

/* The moments from `from` up to `to`. */
static inline struct walk walk_begin(const struct moments *m, size_t from, size_t to)
{
	struct walk w = {.moments = m, .list = m->pick ? NULL : m->list, .at = from, .end = to};

	if (w.list && from < to) {
		w.section = entry_section(w.list, from);
		w.until = section_until(w.list, w.section);
	}
	walk_look(&w);
	return w;
}

static inline void walk_next(struct walk *w)
{
	w->at++;
	walk_look(w);
}

/* The moment at hand, but for its seq. */
static inline void walk_event(const struct walk *w, struct event *e)
{
	if (w->list)
		entry_decode(w->list, w->at, w->section, e);
	else
		moments_look(w->moments, w->at, e);
}

#endif
