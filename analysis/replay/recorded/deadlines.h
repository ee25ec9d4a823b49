/*
 * Finds sleeps that end at a time of a clock, however late the thread begins them: events with the
 * style "deadline" say so. And time limits of waits that something else may end: events with the
 * style "limit".
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_DEADLINES_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_DEADLINES_H

#include "base/array.h"
#include "trace/trace.h"

struct deadline {
	int64_t from;    /* when the sleep begins */
	int64_t until;   /* also before, if it is late; both in ns since the run's beginning */
	uint32_t thread; /* index in the trace's threads */
};

typedef VECTOR(struct deadline) deadlines;

/* Announces the events that it needs. */
void deadlines_announce(struct trace *t);
/* Returns all of them, by thread, then time. The caller frees them. */
deadlines deadlines_of(struct trace *t);
/*
 * The same of the limits. `from` is when the event was logged: the wait began at that time or
 * before.
 */
deadlines limits_of(struct trace *t);
/* Returns until when a thread sleeps from a time on; INT64_MIN: until no time that is known. */
int64_t deadline_find(const deadlines *all, uint32_t thread, int64_t from);

#endif
