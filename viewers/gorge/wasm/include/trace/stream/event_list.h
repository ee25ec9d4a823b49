/* What is behind struct event_list here, in place of the one that reads logs: arrays. */
#ifndef GLIMPSE_GORGE_WASM_INCLUDE_TRACE_STREAM_EVENT_LIST_H
#define GLIMPSE_GORGE_WASM_INCLUDE_TRACE_STREAM_EVENT_LIST_H

#include "trace/trace.h"

/* The events of one type, in the order of the stream. */
struct stored_events {
	size_t count;
	int64_t *times;
	uint64_t *ranks, *seqs;
	uint32_t *threads;      /* numbers */
	unsigned char *records; /* as in a log, but for their heads, which number them */
	uint32_t *offsets;      /* of each record */
	const char ***texts;    /* by attribute, of code and objects: those of each event */
};

struct event_list {
	const struct event_type *type;
	const struct stored_events *events;
};

static inline int64_t entry_time(const struct event_list *l, size_t i)
{
	return l->events->times[i];
}

static inline event_rank entry_rank(const struct event_list *l, size_t i)
{
	return l->events->ranks[i];
}

static inline void entry_look(const struct event_list *l, size_t i, struct event *e)
{
	const struct stored_events *s = l->events;

	*e = (struct event){
	    .time = s->times[i],
	    .type = l->type,
	    .record = s->records + s->offsets[i],
	    .thread = s->threads[i],
	    .seq = s->seqs[i],
	};
}

/* The trace keeps the lists. */
static inline void event_list_free(struct event_list *l)
{
	(void)l;
}

/* ---- there is one section ---- */

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

static inline event_rank entry_rank_in(const struct event_list *l, size_t i, size_t section)
{
	(void)section;
	return entry_rank(l, i);
}

static inline void entry_decode(const struct event_list *l, size_t i, size_t section,
				struct event *e)
{
	(void)section;
	entry_look(l, i, e);
}

#endif
