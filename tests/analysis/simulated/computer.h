/*
 * Runs a program on simulated processors, by a virtual clock: the truth that a recording of it, and what is
 * computed from the recording, are compared with. It shares nothing with analysis/replay.
 *
 * Threads that can run and have no processor are in one queue, or in one for each processor, and each runs for a slice of time if others
 * are in it. A thread that gets an idle processor runs after a latency. A released lock is free: a running thread
 * may overtake the one that was woken for it, which then waits again behind all others, as with Linux' futexes.
 */
#ifndef GLIMPSE_TESTS_ANALYSIS_SIMULATED_COMPUTER_H
#define GLIMPSE_TESTS_ANALYSIS_SIMULATED_COMPUTER_H

#include "tests/analysis/simulated/log.h"
#include "tests/analysis/simulated/workload.h"

enum { MOST_PROCESSORS = 16, MOST_FOREIGN = 16 };

struct computer {
	unsigned processors;
	int64_t slice;   /* ns */
	int64_t latency; /* ns, at least; up to twice as much */
	uint64_t seed;   /* of the latencies */
	/*
	 * 0: one queue. Else each processor has one, in which a ready thread waits for the processor that it had last, also
	 * if another one is idle; an idle processor takes over who waits longest after so long, ns.
	 */
	int64_t pull;
	bool preempts; /* with them: a woken thread takes the place of the one that runs */
	/* So many threads of other programs compute all the time. Nothing of them is recorded. */
	unsigned foreign;
};

enum truth_state { TRUTH_RUNNING, TRUTH_READY, TRUTH_BLOCKED, NTRUTH_STATES };

struct truth {
	int64_t duration;                            /* ns */
	int64_t states[MOST_THREADS][NTRUTH_STATES]; /* how long each thread was in each, ns */
	int64_t lives[MOST_THREADS]; /* their sum: since it was created, until it exited */
	bool ended;                  /* false: threads wait for what never comes */
};

/* Returns the address of a lock in the logs. */
uint64_t computer_lock_address(uint32_t lock);
/* Runs it, and adds what it does to a log. */
struct truth computer_run(const struct computer *c, const struct workload *p,
			  struct simulated_log *log);

#endif
