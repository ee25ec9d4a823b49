/*
 * Sums how long each thread ran, was ready and was blocked, from intervals of kind "state". Finds
 * when it was created and ended, and by which thread, from intervals of kind "life" and "cause".
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
};

struct thread_states {
	/*
	 * When it was created, or else its first event; what created it: index in the trace's
	 * threads.
	 */
	int64_t created;
	uint32_t creator;
	int64_t ended;     /* its end, or else its last event */
	bool begins, ends; /* its life's begin and end are in the trace */
	int64_t life;      /* how long it lived in the window */
	/* Sums of the window: states are clipped to it. */
	struct state_total states[NSTATES];
	/* it has a state anywhere in the trace, also outside of the window */
	bool known;
	bool sampled;        /* its states are: sums are right, switches are not known */
	uint64_t switches;   /* away from it, but for its end */
	uint64_t migrations; /* to another processor than the one before */
	/* bits: those that it ran on, up to 63; the last bit: those above */
	uint64_t processors;
};

struct states {
	struct thread_states *threads; /* indexed as the trace's threads */
	bool known;                    /* there are intervals of kind "state" */
	bool processors;               /* running intervals have a metric "processor" */
};

/* Returns the time of a thread's life in which its state is not known. */
int64_t thread_unexplained(const struct thread_states *t);

/* A window of the trace's time; both ends belong to it. */
struct states_window {
	int64_t from, to;
};
#define STATES_ALL ((struct states_window){INT64_MIN, INT64_MAX})

/* Cuts a span to a window; returns whether more of it than an end is there. */
static inline bool states_window_cut(const struct states_window *w, int64_t *from, int64_t *to)
{
	bool empty = *from == *to;

	*from = *from < w->from ? w->from : *from;
	*to = *to > w->to ? w->to : *to;
	return *from < *to || (empty && *from == *to);
}

/* Never returns NULL. */
struct states *states_of(struct trace *t, struct states_window window);
void states_free(struct states *s);

#endif
