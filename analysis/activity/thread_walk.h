/*
 * Walks the events of one thread in order, without other threads: for all that happens within
 * threads, such as calls and states. Threads can be walked in parallel. Inline, because it is the
 * inner loop of each table.
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_THREAD_WALK_H
#define GLIMPSE_ANALYSIS_ACTIVITY_THREAD_WALK_H

#include "trace/log/cursor.h"
#include "trace/open/opened.h"

struct thread_walk {
	struct log_cursor cursor;
	int64_t origin;
	/* The event that was read. */
	int64_t time;  /* of the trace */
	uint32_t type; /* index in the specification's events */
	const unsigned char *record;
};

/* thread: index in the trace's threads. */
static inline void thread_walk_open(struct thread_walk *w, const struct trace *t, size_t thread)
{
	log_cursor_open(&w->cursor, &opened_of(t)->logs[thread]);
	w->origin = t->origin;
}

/* Returns false after the last event. */
static inline bool thread_walk_next(struct thread_walk *w)
{
	if (!log_cursor_next(&w->cursor))
		return false;
	w->time = w->cursor.time - w->origin;
	w->type = w->cursor.type;
	w->record = w->cursor.record;
	return true;
}

#endif
