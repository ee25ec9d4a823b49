/*
 * Decides how much is replayed of a trace. All limits are here: of rankings and searches by the
 * trace's events, of answers that need many replays by the steps of each. The limits are for what
 * nobody asked for by itself: a change that is asked for is replayed, however long the trace is.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_PLAN_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_PLAN_H

#include "trace/trace.h"

/* What is replayed for a rank. */
enum replay_scope {
	REPLAY_NOTHING,
	REPLAY_LOCKS, /* the first contended locks are removed */
	REPLAY_ROWS,  /* the first rows are fixed, one by one */
};

/* The page, the command and its help say these numbers: glimpse rank --help. */
enum {
	PLAN_ROWS = 20,
	PLAN_THREADS = 8, /* beside the rows */
	/* With ranges of their own, some seven replays or more each: those that rank prints. */
	PLAN_WHOLE = 8,
	PLAN_WHOLE_EVENTS = 100000,
	PLAN_WHOLE_LONG = 3, /* of more events */
	PLAN_ROWS_EVENTS = 1000000,
	PLAN_LOCKS = 2,
	PLAN_LOCKS_EVENTS = 30000000,
};

struct replay_plan {
	enum replay_scope scope;
	unsigned rows, threads, locks; /* at most */
	unsigned whole;                /* of the first ones, once more with ranges of their own */
	/*
	 * Steps of a task (base/task.h): one for each event, of the replay without changes and of
	 * each of these.
	 */
	uint64_t steps;
};

/* asked: rows are replayed however long the trace is. */
struct replay_plan replay_plan_of(const struct trace *t, bool asked);

/* What many replays are made for. */
enum replay_purpose {
	REPLAYS_OF_ANSWER,   /* the answer is made of them: a causal profile, a sweep */
	REPLAYS_OF_INTERVAL, /* they vary lengths, for the range of one answer */
	REPLAYS_OF_STEPS,    /* what to fix after an answer, one after the other */
};

/* An answer and its range have so many replays, however long they take; steps have one. */
enum { LEAST_REPLAYS = 3 };

/*
 * Returns how many of `most` replays are made: of a short run all, of a longer one fewer. steps: of
 * each, some 40 ns long. A step is an operation that is made and replayed, or two events whose cost
 * and speed is found.
 */
size_t replays_within(enum replay_purpose purpose, uint64_t steps, size_t most);

#endif
