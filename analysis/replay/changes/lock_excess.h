/*
 * Computes what contended calls on a lock cost beyond calls without contention: system calls that
 * wake others, and the transfer of the lock between processors. Both lie between two holds of one
 * thread, where no event tells the calls from the program's own work: medians of the same code do.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_LOCK_EXCESS_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_LOCK_EXCESS_H

#include "analysis/replay/recorded/model.h"

/*
 * Of the time that a thread runs before it acquires a lock; nanoseconds, 0: nothing, or not known.
 */
struct lock_excess {
	int64_t moved; /* another thread had the lock since, and none was woken */
	int64_t woke;  /* the thread had woken another one as it released the lock last */
};

/* By class of the model's set; the caller frees it. locks: by lock, those that it is wanted of. */
struct lock_excess *lock_excess_of(const struct model *m, const bool *locks);
/* Returns what of the time before a hold is excess. */
int64_t lock_excess_before(const struct model *m, const struct lock_excess *excess, size_t hold);

#endif
