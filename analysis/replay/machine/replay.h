/*
 * Replays what threads did, in virtual time: a discrete-event simulation of processors and locks.
 * Threads that can continue wait for a processor in the order in which they became ready; after a
 * time slice, the next one runs. A released lock is free: a thread that runs may overtake one that
 * was woken for it, as with the C library's mutexes. Other locks are handed over, or threads spin
 * for them (lock_plan.h).
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_REPLAY_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_REPLAY_H

#include "analysis/replay/program/operations.h"

struct machine {
	unsigned cores; /* 0: as many as are wanted */
	int64_t slice;  /* ns */
	/*
	 * 0: ready threads are in one queue, and an idle processor takes the next one at once.
	 * Otherwise each processor has a queue, and a ready thread is in the queue of its last
	 * processor. An idle processor takes a thread from another queue after this time (ns). Only
	 * with cores.
	 */
	int64_t pull;
	/*
	 * With such queues: a woken thread waits for the processor that it had last also if another
	 * one is idle; and it takes its place from the thread that runs there.
	 */
	bool stays, preempts;
	bool placed;                  /* threads go on at the processor that operations say */
	const enum discipline *locks; /* by lock; NULL: all are free */
	unsigned served;              /* threads that a device serves at once; 0: no limit */
	/*
	 * When threads wait for each other, or for a post that nobody does, a wait ends without it.
	 * In another order the post comes too late; or it was not recorded, and something else
	 * would have ended the wait.
	 */
	bool unties;
	bool forgets; /* nothing is kept of single operations */
	bool states;  /* the states of threads are kept */
	bool shows;   /* it shows its progress: base/progress.h */
	/*
	 * So many steps at most: operations, each time that they are done, and what happens to
	 * threads. 0: MOST_REPLAY_STEPS, or if that is more REPLAY_STEPS_EACH for each operation.
	 */
	uint64_t most_steps;
};

/* Some ten seconds; an operation has one to three steps where no loop is repeated. */
enum { MOST_REPLAY_STEPS = 100000000, REPLAY_STEPS_EACH = 50 };

/* Why a replay stopped before its end. */
enum replay_stop {
	STOP_NONE,
	STOP_STEPS, /* it had made as many steps as it may */
	STOP_CANCELLED,
	STOP_CUT, /* before its beginning: operations.cut */
};

/* From then on a thread is in a state, up to the next one; STATE_OTHER: it has ended. */
struct replay_state {
	int64_t from;
	enum thread_state state;
};

typedef VECTOR(struct replay_state) replay_states;

struct replay {
	int64_t duration;
	/* of the critical path, in waits without a known cause: analysis/graph/unknown.h; ns */
	int64_t unknown;
	int64_t *ends; /* of each thread */
	/* Of each operation; NULL if the machine forgets them. */
	int64_t *begun, *done; /* when a thread came to it and when it was done */
	uint32_t *wakers;      /* if it was waited for: which one ended that; NO_NUMBER */
	/* by piece: the thread that it was handed out to; NO_NUMBER: to none */
	uint32_t *runners;
	int64_t *lock_waits;    /* by lock: how long threads waited for it, in all */
	int64_t ready, running; /* of all threads */
	/*
	 * Of each thread, if the machine keeps them; NULL. No two at one time. Before its first
	 * operation is done a thread is not there yet.
	 */
	replay_states *states;
	uint32_t nthreads;
	uint32_t untied;  /* waits that ended without their post */
	uint32_t expired; /* waits that ended at their limit, and not in a loop */
	/* by so much in all what ended such waits in the recorded run comes later */
	int64_t overdue;
	enum replay_stop stop;
	uint64_t steps;
	int64_t reached;         /* the time of the last thing that happened */
	bool stuck;              /* threads wait for what never comes, or it was stopped */
	uint32_t *stuck_threads; /* of the trace */
	uint32_t nstuck;
};

/*
 * Never returns NULL. Stops if the task is cancelled (base/task.h), or after too many steps: stuck
 * and stop are set then.
 */
struct replay *replay_run(const struct operations *o, const struct machine *m);
void replay_free(struct replay *r);

#endif
