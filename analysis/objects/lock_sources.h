/*
 * Which events of a specification begin and end waits and holds. Where an interval pairs its ends
 * within a thread, by the object or by nothing else, its events say so as they come by. Instances of
 * all others are found first, and are marks between the events.
 */
#ifndef GLIMPSE_ANALYSIS_OBJECTS_LOCK_SOURCES_H
#define GLIMPSE_ANALYSIS_OBJECTS_LOCK_SOURCES_H

#include "analysis/activity/roles.h"
#include "base/array.h"
#include "match/plan/plan.h"
#include "trace/trace.h"

/* Which of the open starts an end takes. */
enum lock_take {
	LOCK_TAKE_NEWEST,
	LOCK_TAKE_OLDEST,
	LOCK_TAKE_ALL,
	LOCK_TAKE_NONE,         /* it is that of the newest, which stays for other ends */
};

struct lock_source {
	struct role role;
	bool hold;              /* else it is a wait */
	bool marked;            /* its instances are found first */
	bool keyed;             /* both ends have the same object */
	enum lock_take take;
	struct plan *plan;
};

/* What an event does; what it ends comes before what it begins. */
struct lock_action {
	uint32_t source;
	bool begins;
};
struct lock_actions {
	const struct lock_action *list;
	unsigned n;
};

/* A begin or an end that was found first. */
struct lock_mark {
	int64_t time;           /* of the trace */
	uint32_t thread;        /* of the begin */
	uint32_t source;
	uint32_t pair;          /* the same for both ends */
	enum { MARK_ENDS, MARK_INSTANT, MARK_BEGINS } order;    /* among those at one time */
	bool begins;
	struct event event;
};

struct lock_sources {
	struct trace *trace;
	struct lock_source *at;
	unsigned n;
	struct lock_actions *actions;   /* by event type */
	struct lock_action *lists;
	VECTOR(struct lock_mark) marks; /* by thread, then time */
	struct role *takes;             /* by event type: its start takes an object; kind KIND_NONE: none */
	struct role *lives;             /* of threads */
	unsigned nlives;
	size_t *first_mark;             /* by thread, and one more */
};

void lock_sources_open(struct lock_sources *s, struct trace *t);
void lock_sources_close(struct lock_sources *s);

#endif
