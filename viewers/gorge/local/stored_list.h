/*
 * What is behind struct event_list here, in place of trace/event_list.h: missing.h puts it before
 * every file.
 */
#ifndef GLIMPSE_TRACE_EVENT_LIST_H
#define GLIMPSE_TRACE_EVENT_LIST_H

#include "viewers/gorge/local/stored.h"

struct event_list {
	const struct event_type *type;
	const struct stored_events *events;
};

/* There is one section. */
static inline size_t entry_section(const struct event_list *l, size_t i)
{
	(void)l, (void)i;
	return 0;
}

static inline size_t section_until(const struct event_list *l, size_t section)
{
	(void)section;
	return l->events->count;
}

static inline event_rank entry_rank(const struct event_list *l, size_t i, size_t section)
{
	(void)section;
	return l->events->ranks[i];
}

static inline int64_t entry_time(const struct event_list *l, size_t i)
{
	return l->events->times[i];
}

static inline void entry_look(const struct event_list *l, size_t i, size_t section,
			      struct event *e)
{
	const struct stored_events *s = l->events;

	(void)section;
	*e = (struct event){
		.time = s->times[i], .type = l->type, .record = s->records + s->offsets[i],
		.thread = s->threads[i], .seq = s->seqs[i],
	};
}

#endif
