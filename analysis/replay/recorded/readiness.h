/*
 * Finds how long threads that could run waited for a processor, and what it took until they ran on
 * one: the wake-up latency of an idle processor, or the switch from another thread.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_READINESS_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_READINESS_H

#include "analysis/activity/instance_set.h"
#include "base/array.h"

#define NO_CORE UINT8_MAX

/*
 * A processor that the program's threads left, or that was idle, is a waiting thread's within this
 * time (ns). If it takes longer, other programs have it meanwhile.
 */
enum { LONGEST_SWITCH = 100000 };

/*
 * A thread is ready from `from` to `to`. Before `served` the program's threads have all processors.
 */
struct ready_time {
	int64_t from, served, to;
	int64_t turn; /* so long it ran before it was preempted, ns; -1: it was not running */
	bool runs;    /* at its end */
	uint8_t core; /* that it runs on at its end, from 0; NO_CORE: not known */
	bool moved;   /* it waited for a processor, and another one than it had last took it over */
};

typedef VECTOR(struct ready_time) ready_times;

struct readiness {
	uint32_t nthreads;
	ready_times *threads; /* of each thread, in order */
	/* median from when a thread is ready until it runs on an idle processor, ns; 0: unknown */
	int64_t wake_up;
	int64_t switching; /* the same from when a busy processor is left to it */
	/*
	 * How long a processor is idle until it takes over a thread that waits for another one,
	 * mean, ns; 0: it does so at once, or processors are not recorded.
	 */
	int64_t pull;
	/*
	 * A woken thread mostly waits for the processor that it had last, though another is idle;
	 * takes it from who runs.
	 */
	bool stays, preempts;
};

/*
 * Never returns NULL. ends: when each thread ends; cores: processors of the run, 0: nobody waits
 * for one.
 */
struct readiness *readiness_of(const struct instance_set *set, const int64_t *ends, unsigned cores);
void readiness_free(struct readiness *r);
/*
 * Returns the same run in which every wait for a processor counts as other programs', also where
 * the program's own threads had it. Never returns NULL.
 */
struct readiness *readiness_apart(const struct readiness *r);
/* Returns how much of the waiting for processors the program's own threads caused, from 0 to 1. */
double readiness_own(const struct readiness *r);

/*
 * Whether other programs had the processor of a thread that waits and then runs, after the
 * program's threads had left it.
 */
static inline bool ready_time_of_others(const struct ready_time *r)
{
	return r->runs && r->to - r->served > LONGEST_SWITCH;
}

/*
 * Returns for how long a thread waited between two times while the program's threads had all
 * processors.
 */
int64_t readiness_waited(const struct readiness *r, uint32_t thread, int64_t from, int64_t to);
/* Returns the last time that a thread was ready and then ran between two times; NULL: none. */
const struct ready_time *readiness_last(const struct readiness *r, uint32_t thread, int64_t from,
					int64_t to);

#endif
