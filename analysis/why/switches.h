/*
 * Counts how often threads lose their processors although they could continue, and what that costs.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_SWITCHES_H
#define GLIMPSE_ANALYSIS_WHY_SWITCHES_H

#include "analysis/why/focus.h"

enum turn_end {
	TURN_CUT,    /* the thread is ready at once: it was preempted, or it yielded */
	TURN_BLOCKS, /* the thread cannot go on */
	TURN_UNKNOWN
};

/* A time in which a thread has a processor. */
struct thread_turn {
	int64_t from, to;
	enum turn_end end;
};
typedef VECTOR(struct thread_turn) turn_list;

struct switches {
	turn_list *threads; /* by index in the trace's threads; turns by time */
	uint32_t nthreads;
	int64_t cost;  /* ns of one switch */
	bool measured; /* the cost is from the trace; else it is assumed */
};

/* Announces the events that switches_of() needs beside the set's. */
void switches_announce(struct trace *t);
/* The set has SPANS_STATE and SPANS_WAIT. The caller frees the switches. */
struct switches *switches_of(const struct instance_set *set);
void switches_free(struct switches *s);

/* Returns how long a thread (index) runs in some time. */
int64_t thread_ran(const struct evidence *g, uint32_t thread, int64_t from, int64_t to);

/* Turns of the threads in focus that end in its time though the threads could go on. */
struct cut_turns {
	uint64_t n;
	int64_t time; /* of all of these turns, ns */
};
struct cut_turns switches_cut(const struct evidence *g, const struct focus *f);
/*
 * Returns the share of the time for which the threads in focus run that their cut turns' switches
 * take.
 */
double switching_part(const struct evidence *g, const struct focus *f);
/*
 * Returns nanoseconds of the run that these switches take: of all processors' time, by their
 * number.
 */
double switching_cost(const struct evidence *g, const struct focus *f);
/*
 * Returns what these switches take as a share of the run: of all processors' time, or of the time
 * of the thread that loses most, whichever is more.
 */
double switched_part(const struct evidence *g, const struct focus *f);
/*
 * Returns the share of the cut turns that an event of this name ended; 0 if there is no such event.
 */
double ended_part(const struct evidence *g, const struct focus *f, const char *event);
/* Adds for each call site of such an event how many cut turns it ended. */
struct axis_sums;
void ended_sites(const struct evidence *g, const struct focus *f, const char *event,
		 struct axis_sums *sums);

#endif
