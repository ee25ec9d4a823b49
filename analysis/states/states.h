/*
 * What the system did with each thread: how long it ran, was ready and was blocked, by intervals of
 * kind "state"; when it was created and ended, and by whom, by those of kind "life" and "cause".
 */
#ifndef GLIMPSE_ANALYSIS_STATES_STATES_H
#define GLIMPSE_ANALYSIS_STATES_STATES_H

#include "analysis/activity/roles.h"
#include "trace/trace.h"

#define NO_CREATOR UINT32_MAX

/* Of one state in one thread; nanoseconds. */
struct state_total {
	uint64_t times;
	int64_t total, shortest, longest;
	double squares;         /* the sum of the squares of its times */
};

struct thread_states {
	/* When it was created, or else its first event; what created it: index in the trace's threads. */
	int64_t created;
	uint32_t creator;
	int64_t ended;          /* its end, or else its last event */
	bool begins, ends;      /* its life's begin and end are in the trace */
	struct state_total states[NSTATES];
	uint64_t switches;      /* away from it, but for its end */
	uint64_t migrations;    /* to another processor than the one before */
	uint64_t processors;    /* bits: those that it ran on, up to 63; the last bit: those above */
};

struct states {
	struct thread_states *threads;  /* indexed as the trace's threads */
	bool known;                     /* there are intervals of kind "state" */
	bool processors;                /* running intervals have a metric "processor" */
};

/* Returns how long a thread lived. */
static inline int64_t thread_life(const struct thread_states *t)
{
	return t->ended - t->created;
}

/* Returns the part of its life of which no state is known. */
int64_t thread_unexplained(const struct thread_states *t);

/* Never returns NULL. */
struct states *states_of(struct trace *t);
void states_free(struct states *s);

#endif
