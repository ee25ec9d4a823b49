/*
 * The activity graph of a trace: what each thread does from its first event to its last, and which
 * thread ended each of its waits. It is made from kinds of intervals alone: any trace has one.
 *
 *	time, us          0         10                  30        40        50     57        67
 *	thread 1  state   |running____|blocked___________|ready|running_____|ready_|running__|
 *	          wait              |LockWait_____________________|
 *	   stretches      |RUNNING__|WAITING______________________|RUNNING__|READY_|RUNNING__|
 *	                                                ^ cause: thread 2 releases the lock
 *	thread 2          |RUNNING_____________________________________|
 *	critical path     |thread 2_____________________|handover_|thread 1__________________|
 *
 * The five stretches of thread 1; "-" is NO_ROLE or NO_THREAD:
 *
 *	from  activity  role      cause_thread  cause_time
 *	0     RUNNING   -         -
 *	10    WAITING   LockWait  thread 2      30
 *	40    RUNNING   -         -
 *	50    READY     -         -
 *	57    RUNNING   -         -
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_GRAPH_H
#define GLIMPSE_ANALYSIS_GRAPH_GRAPH_H

#include "analysis/activity/roles.h"
#include "analysis/graph/guessed_wakers.h"
#include "analysis/graph/tried_locks.h"
#include "base/array.h"
#include "trace/trace.h"

struct instance_set;

enum activity {
	ACTIVITY_RUNNING, /* or not known to do anything else */
	ACTIVITY_READY,   /* could run, and had no processor */
	/* In an interval of kind "wait", "spin" or "io"; timeline.h says what of it counts. */
	ACTIVITY_WAITING,
	ACTIVITY_BLOCKED, /* in no such interval, but a state says that it cannot go on */
	NACTIVITIES
};

#define NO_THREAD UINT32_MAX
#define NO_ROLE 0x3fffffu

/* What a thread does for a time: up to the next stretch, or to the thread's end. */
struct stretch {
	int64_t from;
	/*
	 * The end of this stretch had a cause in another thread (index in the trace's threads) at
	 * that time, which is in the stretch. NO_THREAD: none is known.
	 */
	int64_t cause_time;
	uint32_t cause_thread;
	uint32_t role : 22;    /* of the innermost wait: in graph.waits */
	uint32_t activity : 6; /* enum activity */
	/* It runs or is ready within a wait that no thread of the program needs to end. */
	uint32_t in_wait : 1;
	uint32_t timed_out : 1; /* its end is that of a wait whose time was up */
	uint32_t tries : 1;     /* it sleeps between tries of a lock: tried_locks.h */
	uint32_t guessed : 1;   /* its cause is: guessed_wakers.h */
};

struct timeline {
	struct stretch *stretches;
	size_t n; /* 0: the thread has no events */
	int64_t begin, end;
	int64_t idle; /* from then to its end it is in a wait that does not end; or its end */
	bool ended;   /* the end of its process ended it: it is not what the run ends with */
	/* The thread that let it begin, and when; NO_THREAD: not known. */
	uint32_t creator;
	int64_t created;
};

/*
 * A thread goes on at a time only after another one has come to a moment, for which it need not
 * have waited in this run.
 */
struct need {
	uint32_t thread; /* index in the trace's threads */
	int64_t time;
	uint32_t of;    /* the other thread */
	int64_t moment; /* not later */
};

struct graph {
	const struct trace *trace;
	struct timeline *threads; /* indexed as the trace's threads */
	struct role *waits;       /* the intervals that are waits */
	unsigned nwaits;
	VECTOR(struct need) needs; /* causes that ended no wait: by thread, then time */
	size_t *first_need;        /* of each thread, and one more; NULL: there are none */
	tried_locks tried;         /* none, if the set it was made from has no holds */
	struct guessed_waits guessed;
};

/* Returns which spans of a trace it is made from. */
unsigned graph_spans(const struct trace *t);
/* Never returns NULL. The set has graph_spans(); nothing of it is needed afterwards. */
struct graph *graph_from(const struct instance_set *set);
/* The same, with a set of its own, which is found for one caller at a time. */
struct graph *graph_of(struct trace *t);
/* Announces the events that it needs beside the set's. */
void graph_announce(struct trace *t);
void graph_free(struct graph *g);

/* What ends a wait of a role that no thread ends; NULL: it is not known. */
const char *graph_until(const struct graph *g, uint32_t role, bool timed_out);

/* How long the threads wait, and how much of that has a known end: a thread, a timer, a device. */
struct graph_waits {
	int64_t time, explained; /* ns, the sum over all threads */
};
struct graph_waits graph_waits_of(const struct graph *g);

/* Returns where a stretch ends. */
static inline int64_t stretch_end(const struct timeline *l, size_t i)
{
	return i + 1 < l->n ? l->stretches[i + 1].from : l->end;
}

/* Returns the stretch that begins before a time and ends then or later; l->n if none does. */
size_t stretch_before(const struct timeline *l, int64_t time);
/*
 * Returns the stretch that a cause ends, whose end in the thread was logged at `time`; the number
 * of stretches if there is none. A thread that nothing but its states says to wait is ready before
 * its wake-up is logged: the stretch before that. The same holds for a thread that
 * runs at the end of a wait that counts only while it is blocked.
 */
size_t stretch_caused(const struct timeline *l, int64_t cause, int64_t time);

#endif
