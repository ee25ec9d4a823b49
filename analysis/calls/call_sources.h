/*
 * Finds which events of a specification begin and end calls, and which say whether a thread runs.
 * Where an interval pairs its ends as a stack does (nested, in the same thread, by function or by
 * nothing else), its events say so as they come by. Instances of all others are found first, and
 * are marks between the events. In threads that log no calls samples of their stacks say which
 * there are.
 */
#ifndef GLIMPSE_ANALYSIS_CALLS_CALL_SOURCES_H
#define GLIMPSE_ANALYSIS_CALLS_CALL_SOURCES_H

#include "analysis/activity/roles.h"
#include "analysis/calls/calls.h"
#include "analysis/samples/samples.h"
#include "base/array.h"

enum call_act { ACT_ENTER, ACT_LEAVE, ACT_RUN, ACT_STOP, ACT_STACK };

/* What an event does. One event may do several things. */
struct call_action {
	enum call_act act;
	uint32_t source; /* index in the roles */
	int function;    /* the attribute, or that of the stack; -1: none */
	unsigned offset; /* of it in the record */
	bool wide;       /* it has 8 bytes, not 4 */
	bool keyed;      /* ends are paired by the function; else any of the source's is */
	const struct call_action *next;
};

/* A begin or an end that was found first. */
struct call_mark {
	int64_t time;    /* of the trace */
	int64_t other;   /* when its other end is */
	uint32_t thread; /* in which it counts: that of the begin */
	uint32_t source;
	uint32_t pair; /* the same for both ends */
	enum call_act act;
	struct event event; /* the begin; of ACT_ENTER */
};

struct call_sources {
	const struct trace *trace;
	struct role *roles;
	unsigned nroles;                /* of intervals; behind them are those of sampled calls */
	struct samples *samples;        /* NULL: there are none */
	uint32_t *sampled;              /* by event type of frames: the source */
	struct call_action **actions;   /* by event type; NULL: it does nothing */
	VECTOR(struct call_mark) marks; /* by thread, in the order in which they are to be done */
	size_t *first_mark;             /* by thread, and one more */
	size_t npairs;
	uint32_t *places; /* by pair; for the walk of its thread */
};

/*
 * Looks at a trace's specification, and finds the instances that are to be found first. Calls that
 * are logged are no sources if lines are wanted.
 */
void call_sources_open(struct call_sources *s, struct trace *t, enum sample_places places);
void call_sources_close(struct call_sources *s);

#endif
