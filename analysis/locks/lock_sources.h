/*
 * Finds which events of a specification begin and end waits and holds. Where an interval pairs its
 * ends within a thread, by the object or by nothing else, its events say so as they come by.
 * Instances of all others are found first, and are marks between the events.
 */
#ifndef GLIMPSE_ANALYSIS_LOCKS_LOCK_SOURCES_H
#define GLIMPSE_ANALYSIS_LOCKS_LOCK_SOURCES_H

#include "analysis/activity/roles.h"
#include "base/array.h"
#include "match/join/thread_join.h"
#include "trace/trace.h"

struct lock_source {
	struct role role;
	bool hold;   /* else it is a wait */
	bool marked; /* its instances are found first */
};

/* A begin or an end that was found first. */
struct lock_mark {
	int64_t time;    /* of the trace */
	uint32_t thread; /* of the begin */
	uint32_t source;
	uint32_t pair;                                       /* the same for both ends */
	enum { MARK_ENDS, MARK_INSTANT, MARK_BEGINS } order; /* among those at one time */
	bool begins;
	struct event event;
};

struct lock_sources {
	struct trace *trace;
	struct lock_source *at;
	unsigned n;
	struct join_sources join;       /* of all that are not marked, by their index here */
	VECTOR(struct lock_mark) marks; /* by thread, then time */
	/* by event type: its start takes an object; kind KIND_NONE: none */
	struct role *takes;
	struct role *misses; /* the same of tries in vain */
	struct role *lives; /* of threads */
	unsigned nlives;
	size_t *first_mark; /* by thread, and one more */
};

void lock_sources_open(struct lock_sources *s, struct trace *t);
void lock_sources_close(struct lock_sources *s);

#endif
