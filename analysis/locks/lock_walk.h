/*
 * Finds the waits and holds of one thread from its events in their order, with the locks that the
 * thread holds meanwhile.
 *
 *	time, us          0    5      12    18     25      33          45             60
 *	thread 2  lock a  |hold, Z____|
 *	                              '-----v cause: the release at 12 ends the wait at 18
 *	thread 1  lock a       |wait, X_____|hold, X__________________________________|
 *	          lock b                           |wait, Y|hold, Y____|
 *
 * X, Y and Z are call sites. The walk of thread 1 gives
 *
 *	tallies   lock  site  hold   total
 *	          a     X     false  13
 *	          a     X     true   42
 *	          b     Y     false  8
 *	          b     Y     true   12
 *	waits     start  end  lock  site  cause
 *	          5      18   a     X     released 12 by thread 2, which held at Z
 *	          25     33   b     Y     NO_CAUSE
 *	nestings  taken   held
 *	          (b, Y)  (a, X)
 */
#ifndef GLIMPSE_ANALYSIS_LOCKS_LOCK_WALK_H
#define GLIMPSE_ANALYSIS_LOCKS_LOCK_WALK_H

#include "analysis/activity/instance_set.h"
#include "analysis/graph/span_subset.h"
#include "analysis/locks/lock_causes.h"
#include "base/value_bag.h"

/* What is wanted. */
struct lock_part {
	int64_t from, to;    /* times are cut to [from, to] */
	const bool *threads; /* by index in the trace's threads; NULL: all */
};
#define LOCK_PART_ALL ((struct lock_part){INT64_MIN, INT64_MAX, NULL})

/* Cuts a span to a part; returns whether anything of it is there. */
static inline bool lock_part_cut(const struct lock_part *p, uint32_t thread, int64_t *from,
				 int64_t *to)
{
	if ((p->threads && !p->threads[thread]) || *from > p->to || *to < p->from)
		return false;
	*from = *from < p->from ? p->from : *from;
	*to = *to > p->to ? p->to : *to;
	return true;
}

/* All waits, or all holds, of one lock that began at one place. */
struct lock_tally {
	struct value_bag times; /* what each instance writes comes first */
	int64_t total, max;
	uint32_t lock, site;
	bool hold;
	uint64_t open;  /* those that have no end: up to the end of the thread */
	uint64_t vain;  /* waits that end without the lock, as after a time limit */
	uint64_t takes;   /* without a wait, of what is free */
	uint64_t counted; /* more of them: only their number is in the trace */
	uint64_t missed;  /* tries in vain */
	int64_t path;   /* of holds: on the critical path */
	int64_t ran;    /* of waits: the CPU time within them */
	/*
	 * Of holds: CPU time from a release to the thread's next event; if it ended another's wait,
	 * and if not.
	 */
	struct value_bag after_handover, after_release;
};

/* The priority of the thread from a time on. */
struct lock_priority {
	int64_t time, value;
};

struct lock_wait {
	int64_t start, end;
	uint32_t lock, site, thread;
	uint32_t cause; /* in the causes; NO_CAUSE */
};

/* A place at which a lock is held, or taken. */
struct lock_place {
	uint32_t lock, site;
};

/* A lock is taken, or waited for, while others are held. */
struct lock_nesting {
	struct lock_place taken;
	uint32_t nheld;
	size_t held; /* so many places from here on in the walk's */
	uint64_t times;
};

/* A wait or hold without an end. */
struct lock_open {
	int64_t start;
	/* from when on the thread has held the lock, by this hold or others */
	int64_t since;
	uint32_t source, lock, site;
	uint32_t tally; /* of the walk's; NO_TALLY: it was not there at the start */
	uint32_t pair;  /* of marks; NO_PAIR */
	uint64_t address;
	bool over; /* its end came, but not as the interval wants it */
};
#define NO_PAIR UINT32_MAX
#define NO_TALLY UINT32_MAX

struct walked_locks {
	VECTOR(struct lock_tally) tallies;
	VECTOR(struct lock_wait) waits; /* by their ends */
	VECTOR(struct lock_nesting) nestings;
	VECTOR(struct lock_place) held;
	VECTOR(struct lock_open) open; /* at the end */
	VECTOR(struct lock_priority) priorities;
	uint64_t unbegun;  /* ends without a begin */
	int64_t end;       /* of the thread */
	bool ended;        /* as it should: its life has an end */
	uint32_t self;     /* the thread as an object; NO_LOCK */
	bool states_known; /* it is known when the thread ran */
};

/*
 * thread: index in the trace's threads. Threads can be walked in parallel. Tallies and waits are
 * those of the part. The order of acquisitions, and what is open, are those of the whole trace.
 * path: the critical path, by thread; or NULL. If a thread holds a lock more than once, it counts
 * once there. set: says when the thread ran, if it has SPANS_STATE.
 */
void lock_walk(struct walked_locks *result, const struct lock_sources *s, struct lock_register *r,
	       struct lock_causes *c, uint32_t thread, const struct lock_part *part,
	       const struct span_subset *path, const struct instance_set *set);
/* Returns the priority that a thread has at a time; 0 if the trace does not say it. */
int64_t walked_priority(const struct walked_locks *w, int64_t time);
void walked_locks_free(struct walked_locks *w);

#endif
