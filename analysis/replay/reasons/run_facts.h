/*
 * What all replays of a recorded run have in common: the loops in which threads wait, the moments
 * that others wait for, and what a lock usually takes.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_RUN_FACTS_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_RUN_FACTS_H

#include "analysis/replay/reasons/poll_loop.h"
#include "analysis/replay/reasons/spin_loop.h"
#include "analysis/replay/reasons/timed_waits.h"
#include "analysis/replay/reasons/wait_parts.h"

struct hand_out;

/* A moment of a thread that others wait for. */
struct run_moment {
	int64_t time;
	uint32_t thread; /* index in the trace's threads */
};

typedef VECTOR(struct run_moment) run_moments;

struct run_facts {
	/* what a lock usually takes that has to be waited for */
	struct wait_parts handover;
	bool *spun;    /* by lock: threads keep their processors while they wait for it */
	bool *outside; /* by object: something outside of the program serves it: outside.h */
	bool *devices; /* by the graph's waits: they are for a device, one after the other */
	poll_loops loops;
	timed_waits timed;
	spin_loops spins;
	int64_t spinning; /* in loops of tries whose end has no known cause: ns */
	/* By thread, then time, each once. Their places are the numbers of posts and meetings. */
	run_moments posts, meetings;
	uint32_t *members;               /* of each meeting: how many come */
	const struct hand_out *hand_out; /* whose pushes are among the posts; NULL: none */
};

/*
 * Returns the facts of a model, with the posts of a hand-out (NULL: none), which is needed as long.
 * The caller frees them.
 */
struct run_facts *run_facts_of(const struct model *m, const struct hand_out *hand_out);
/* Finds the posts anew, with those of another hand-out. */
void run_facts_hand_out(struct run_facts *f, const struct model *m,
			const struct hand_out *hand_out);
void run_facts_free(struct run_facts *f);

/* Returns the place of a moment; their number if it is not there. */
uint32_t moment_number(const run_moments *all, uint32_t thread, int64_t time);
/* Returns whether a thread has a moment after one time, and up to another one. */
bool moment_in(const run_moments *all, uint32_t thread, int64_t after, int64_t to);

#endif
