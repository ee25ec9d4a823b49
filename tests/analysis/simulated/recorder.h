/* The recorder's own probe "scheduler", run over what a simulated kernel says. */
#ifndef GLIMPSE_TESTS_ANALYSIS_SIMULATED_RECORDER_H
#define GLIMPSE_TESTS_ANALYSIS_SIMULATED_RECORDER_H

#include "tests/analysis/simulated/kernel.h"

/* A thread's wait for a turn, as the recorder logs it: ready from `ready` to `in`, ns. */
struct recorder_wait {
	int64_t ready, in;
	char basis[12]; /* "": it says nothing */
};

/* The figures of a thread were read at that time, ns. */
struct recorder_reading {
	int64_t time;
	bool runs; /* it had a processor: its account was behind */
};

/* By thread; the waits are those for its turns, in their order. */
struct recorder_waits {
	VECTOR(struct recorder_wait) of[MOST_THREADS];
	int64_t begun[MOST_THREADS]; /* when it began to be observed */
	VECTOR(struct recorder_reading) readings[MOST_THREADS];
};

/*
 * Records a run up to a time, ns. Reads what there is every 10 ms or, as if buffers were full, more
 * often. Adds the recorder's events to the log. Returns what is wrong with them, or NULL.
 */
const char *recorder_run(struct kernel *k, int64_t end, struct simulated_log *log,
			 struct recorder_waits *waits);

#endif
