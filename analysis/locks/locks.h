/*
 * Computes the costs of a trace's locks, semaphores, barriers, conditions and monitors: all objects
 * of intervals of kind "hold" and "wait", of a probe or of a user's own. An interval without an
 * object has its label, or its name, as one. The instances are those of match_interval(); in
 * addition what has begun and has no end counts up to the end of its thread.
 */
#ifndef GLIMPSE_ANALYSIS_LOCKS_LOCKS_H
#define GLIMPSE_ANALYSIS_LOCKS_LOCKS_H

#include "analysis/locks/lock_hang.h"
#include "analysis/locks/lock_order.h"

/* Of waits, or of holds; nanoseconds. */
struct lock_times {
	uint64_t n, open;
	int64_t total, p99, max;
};

/* A time in which there was always somebody who waited for a lock. */
struct lock_convoy {
	int64_t from, to;
	uint64_t waits;
	uint32_t most; /* at once */
};

/* Waits of threads for what a thread of lower priority let go. */
struct lock_inversions {
	uint64_t waits;
	int64_t total, max;
	uint32_t waiter, holder; /* of the longest: indices of threads */
	int64_t urgent, less;    /* their priorities */
};

struct lock_row {
	uint32_t lock;         /* in the register */
	/* holds; of what is not held, waits that have ended, and takes; and what was counted */
	uint64_t acquisitions;
	uint64_t counted; /* takes: only their number is in the trace */
	uint64_t contended;    /* waits */
	uint64_t vain;         /* waits that ended without it, as after a time limit */
	uint64_t missed;       /* tries in vain, without a wait */
	struct lock_times wait, hold;
	struct lock_convoy convoy; /* the longest */
	struct lock_inversions inversions;
	int64_t path; /* on the critical path, while it is held */
	/*
	 * Acquisitions that need not wait are in the trace, too: of a lock or a semaphore, of no
	 * barrier.
	 */
	bool free_known;
	/*
	 * CPU time within the calls beyond that of calls that nobody contends for: in waits, and in
	 * releases that end a wait. Not known where the trace does not say when all its threads
	 * ran.
	 */
	bool overhead_known;
	int64_t overhead;
	/*
	 * Of the part, the time in which its holds were logged, and the waits that ended then:
	 * shares of holds are of these.
	 */
	int64_t logged;
	uint64_t contended_logged;
};

/* All waits for a lock at a place, that were ended by one that had taken it at another place. */
struct lock_blame {
	uint32_t lock, waiter, holder; /* sites */
	bool caused;                   /* who ended the wait is known */
	bool held;                     /* by a hold: else it is where the signal came from */
	uint64_t waits;
	int64_t total, max;
};

struct locks {
	struct trace *trace;
	struct lock_part part;
	const struct instance_set *set; /* while it is made */
	struct span_subset *path;       /* or NULL */
	struct lock_sources sources;
	struct lock_register names;
	struct lock_causes causes;
	struct walked_locks *threads; /* as the trace's threads */
	struct lock_row *rows;        /* what was waited for longest first */
	size_t nrows;
	struct lock_blame *blames; /* the same */
	size_t nblames;
	struct lock_order order;
	struct lock_hang hang;
	uint64_t unbegun; /* ends without a begin */
};

/* Returns whether a specification has intervals of kind "hold" or "wait". */
bool spec_has_locks(const struct spec *spec);
/*
 * Never returns NULL. Rows and blames are of the part, order and hang of all. The trace makes event
 * lists for it, for one caller at a time. path: also how long they are held on the critical path.
 */
struct locks *locks_of(struct trace *t, const struct lock_part *part, bool path);
void locks_free(struct locks *l);

#endif
