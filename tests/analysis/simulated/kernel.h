/*
 * Makes what the kernel would say of a simulated run: its records of switches, and the figures of
 * each thread at any time (schedstat). Keeps the truth of each turn on a processor.
 *
 * As in Linux, the kernel charges a switch to the thread that comes, and records a little later
 * that one thread left and that the other came. When a ready thread moves to another processor,
 * the kernel counts how long it has been ready so far.
 */
#ifndef GLIMPSE_TESTS_ANALYSIS_SIMULATED_KERNEL_H
#define GLIMPSE_TESTS_ANALYSIS_SIMULATED_KERNEL_H

#include "recorder/scheduler/records.h"
#include "tests/analysis/simulated/computer.h"

/* A thread on a processor, and how it waited for that. Times in ns. */
struct kernel_turn {
	int64_t ready;        /* since then it could run */
	int64_t counted;      /* when it moved, ready, to another processor; INT64_MAX: never */
	int64_t charged, out; /* its account has the time between; out: INT64_MAX: it is there */
	int64_t in;           /* time of the record */
	uint32_t processor;
};

struct kernel_thread {
	VECTOR(struct kernel_turn) turns;
	int64_t created, exited; /* INT64_MAX: not yet */
};

struct kernel {
	struct random random;
	struct kernel_records records; /* of all, not in order */
	struct kernel_thread threads[MOST_THREADS];
	int64_t left[MOST_PROCESSORS]; /* by processor: when a thread left it last */
	bool moves;                    /* ready threads move between processors */
};

void kernel_begin(struct kernel *k, uint64_t seed);
/* A log_watcher: makes records of what the scheduler does. */
void kernel_watch(void *kernel, uint32_t thread, int64_t time, enum log_event event,
		  const uint64_t *values, const char *text);
/* Reads what the kernel counts of a thread at a time; returns false if it is not there. */
bool kernel_figures(const struct kernel *k, uint32_t thread, int64_t time, uint64_t *ran,
		    uint64_t *delay);
/* Returns whether the thread has a processor, by the truth or by the records made so far. */
bool kernel_runs(const struct kernel *k, uint32_t thread, int64_t time);
void kernel_free(struct kernel *k);

#endif
