/*
 * Finds waits for locks whose time was up. Had the thread that held the lock released it before,
 * the wait would have ended then:
 *
 *	waiter   | wait, 110 |--->
 *	holder   --------------------release|--
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_TIMED_LOCKS_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_TIMED_LOCKS_H

#include "analysis/replay/reasons/timed_waits.h"

struct timed_lock {
	uint32_t thread; /* index in the trace's threads */
	size_t stretch;  /* of its timeline */
	size_t hold;     /* of the model: that of the lock when the time was up */
	int64_t left;    /* from the stretch's beginning to the limit: ns */
};

typedef VECTOR(struct timed_lock) timed_locks;

/*
 * Returns those of all threads, by thread, then stretch, from the timed waits. The caller frees
 * them.
 */
timed_locks timed_locks_of(const struct model *m, const timed_waits *waits);
/* Returns the wait that a stretch is; NULL: it is none. */
const struct timed_lock *timed_lock_find(const timed_locks *all, uint32_t thread, size_t stretch);

#endif
