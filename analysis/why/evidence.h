/*
 * Collects the evidence of the search: everything that threads do and wait for, as spans of their
 * time. Each span has a place (interval, object, call site, the user's axes); a wait also has the
 * thread that ended it. The evidence includes the critical path.
 *
 *	time, ms          0   4     10                  30        40        50   55      63
 *	thread 1  spans   |running__|LockWait_____________________|running__|wait|running|LockWait
 *	                                                ^ blocked_until
 *	thread 2  hold        |acquired at site Z_______|
 *	          state   |running____|ready|running___________________|
 *
 * The wait_fact of the first LockWait, if the second one lasts at least half as long:
 *
 *	blocked_until  blocker   blame  delay  work  again
 *	30             thread 2  Z      6      18    false
 *
 * delay: thread 2 was ready for 6 ms up to 30, thread 1 for 0 ms up to 10.
 * work: 40 to 50 and 55 to 63. The wait between them does not end the work, because it is less than
 * half as long as the first LockWait.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_EVIDENCE_H
#define GLIMPSE_ANALYSIS_WHY_EVIDENCE_H

#include "analysis/activity/instance_set.h"
#include "analysis/activity/throttled.h"
#include "analysis/graph/critical_path.h"
#include "analysis/graph/span_subset.h"
#include "analysis/locks/stuck.h"
#include "analysis/why/event_rates.h"
#include "analysis/why/idle.h"

struct locks;
struct priorities;
struct switches;
struct task_mover;

/* The facts about a wait. */
struct wait_fact {
	/* when another thread let this one go on; its end, if that is not known */
	int64_t blocked_until;
	/* What the thread does on its own after it, until it waits as long for another one. */
	int64_t work;
	/*
	 * How much longer the blocker was ready than this thread, since this thread's last wait:
	 * the cost of the wait begins after it.
	 */
	int64_t delay;
	int64_t blame;    /* key of a place in the program of who let it go on; NO_KEY */
	uint32_t blocker; /* who that is; NO_THREAD: it is not known */
	bool again;       /* the thread waits for the same again at once */
	bool together;    /* another thread's wait ended with it, by the same event */
	bool deadlocked;  /* it never ends: the wait is in a cycle of waits */
	bool by_thread;   /* another thread ended it, also where it is not known which */
};

/* A span as it comes by (span_walk.h). */
struct span_of_time {
	int64_t from, to;
	uint32_t thread; /* index in the trace's threads */
	uint32_t place;
	const struct wait_fact *wait; /* of waits; else NULL */
	/* of being ready: while the processor ran another thread, and one was free */
	int64_t queued;
};

struct evidence {
	struct trace *trace;
	const struct instance_set *set;
	struct graph *graph;
	struct critical_path *path;
	struct span_subset *ready;   /* where threads are ready */
	struct span_subset *on_path; /* where threads are on the path */
	struct idle *idle;
	struct switches *switches;
	struct priorities *priorities;         /* NULL: all are 0 */
	unsigned char *paging;                 /* by sampled stack (paging.h); NULL: not known */
	throttled_list throttled;              /* of the program's control group */
	bool *spins;                           /* the same (spinning.h); NULL: none */
	struct span_class states[NACTIVITIES]; /* the timeline says them alone */
	struct wait_fact **waits;              /* by thread: of its spans of SPANS_WAIT */
	int64_t **queued;   /* by thread: of its stretches in which it is ready, in their order */
	struct stuck stuck; /* threads that wait for each other alone at the end */
	struct locks
	    *locks; /* with the waits at the end; NULL: there is neither that nor a deadlock */
	const struct span_condition *conditions; /* of the set; the caller's */
	unsigned nconditions;
	unsigned asked_processors; /* by the caller; 0: found from the trace */
	unsigned nprocessors;
	int64_t *ran_on;                 /* by processor, then thread: how long */
	int64_t event_cost;              /* ps of one event */
	struct event_rates *event_rates; /* of events */
	/* processors that the threads may run on, as the trace says; 0: it does not */
	unsigned usable;
	uint64_t *processors;     /* of each thread, those that it ran on, as bits */
	int64_t *names;           /* of each thread, with its number where others have the same */
	struct hash_table *pairs; /* keys of pairs of threads, once they are asked for */
	int64_t *groups;          /* of each thread, the key of the group of threads it is of */
	int64_t *teams;           /* of each thread, whose work is compared (openmp_teams.h) */
	int64_t *bodies;          /* by sampled stack (openmp_teams.h); NULL: no sample is in one */
	const struct task_mover *mover; /* moves tasks between the threads; NULL: nothing does */
};

/* Places are the classes of the set, then each enum activity, as the timeline says it alone. */
static inline size_t evidence_places(const struct evidence *g)
{
	return g->set->classes.n + NACTIVITIES;
}

static inline uint32_t state_place(const struct evidence *g, enum activity state)
{
	return (uint32_t)g->set->classes.n + state;
}

/* Returns what spans of a place have in common; a state of the timeline has no role. */
static inline const struct span_class *place_class(const struct evidence *g, size_t place)
{
	size_t n = g->set->classes.n;

	return place < n ? &g->set->classes.at[place] : &g->states[place - n];
}

/* Returns which state a class without a role is. */
static inline enum activity class_state(const struct evidence *g, const struct span_class *c)
{
	return (enum activity)(c - g->states);
}

/* Returns the text of a key; "" for NO_KEY. */
const char *evidence_text(const struct evidence *g, int64_t key);

#endif
