/*
 * Makes states of a thread whose run time and wait time were only sampled: the kernel refused its
 * records of switches. Each period between two samples has sums of running, ready and blocked time.
 * What is exact are the thread's own waits, which the program's events say.
 *
 *	period    |                  running 4, ready 2, blocked 10                  |
 *	waits               [LockWait       ]      [CondWait            ]
 *	states    running   |blocked  |ready|running|blocked        |ready|   running
 *
 * The rule, for each period:
 *	1. In a wait the thread is blocked, then ready at its end, as far as the sums go: but not before
 *	   another thread let it go on. What is left of ready time is at the beginnings of waits.
 *	2. It runs in a wait only if the period's run time does not fit elsewhere: at its beginning, or
 *	   at the end of one that began before the period, so that no wait looks like two.
 *	3. The rest of the blocked and ready time is in the middle of the longest times between waits.
 *
 * So waits keep their times, and the states of a period add up to its sums, with one exception. The
 * kernel counts the time of a running thread at ticks: run time that does not fit into its period
 * is of the periods just before.
 */
#ifndef GLIMPSE_RECORDER_MERGE_SAMPLED_STATES_H
#define GLIMPSE_RECORDER_MERGE_SAMPLED_STATES_H

#include "base/array.h"
#include <stddef.h>
#include <stdint.h>

/* Run time is counted at most so much later than it was used: a tick of the slowest timer, ns. */
#define SAMPLED_LATE 10000000
/*
 * A wait for a processor is counted at its end, so the last one of a thread looks like blocked
 * time. It is at most so long, or twice as long as the thread's longest one, ns.
 */
#define SAMPLED_PENDING 100000000

enum sampled_state { SAMPLED_RUNS, SAMPLED_READY, SAMPLED_BLOCKED };
#define SAMPLED_STATES 3

/* Times are CLOCK_MONOTONIC, sums are ns. */
struct sampled_period {
	int64_t from, to;
	int64_t sums[SAMPLED_STATES]; /* they add up to the period, or to more */
};

struct sampled_wait {
	int64_t from, to;
	int64_t caused; /* when another thread let it go on; INT64_MIN: not known */
};

struct sampled_stretch {
	int64_t from, to;
	enum sampled_state state;
};

typedef VECTOR(struct sampled_stretch) sampled_stretches;

/*
 * Appends the states of n periods, which are in order and do not overlap. waits: in order, none
 * overlaps another. Sums that are too much for their period are changed. The states are in order,
 * too: where no period is, the thread is blocked in its waits, and otherwise no state is known.
 */
void sampled_states_make(sampled_stretches *states, struct sampled_period *periods, size_t n,
			 const struct sampled_wait *waits, size_t nwaits);

/*
 * Removes blocked time outside of waits from a time on, of the states from the first one on: it is
 * not known whether the thread was blocked.
 */
void sampled_states_doubt(sampled_stretches *states, size_t first, int64_t since,
			  const struct sampled_wait *waits, size_t nwaits);

#endif
