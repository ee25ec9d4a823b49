/*
 * Finds what limits a predicted run, which lock waits changed most, and which threads share items.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_OUTCOME_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_OUTCOME_H

#include "analysis/replay/answer/limit.h"
#include "analysis/replay/answer/prediction.h"

/* How long threads waited for a lock, in all: without and with the changes, ns. */
struct lock_outcome {
	const char *name; /* of the trace */
	int64_t before, after;
};

/*
 * Returns the locks that were waited for, what changed most first, and sets *n. The caller frees
 * them.
 */
struct lock_outcome *outcome_locks(const struct prediction *p, size_t *n);
/*
 * Returns "name (52 %)": what limits the changed run, with its share of the run; NULL if the run
 * takes no time. Threads of one name count together. The caller frees it.
 */
char *outcome_limit(const struct prediction *p, const struct limit *l);

/*
 * Returns what the waits are for that stay one after the other in the changed run although the lock
 * around them is removed; NULL if there are none. The caller frees it.
 */
char *outcome_apart(const struct prediction *p);

/* Pools of one call site, as those of a loop that runs several times. */
struct hand_out_row {
	struct hand_out_pool pool; /* the first of them, with the items of all */
	size_t npools;
};

/* Returns the pools, those of a call site joined, and sets *n. The caller frees them. */
struct hand_out_row *outcome_hand_out(const struct prediction *p, size_t *n);
/* Returns why the items stay with the threads that had them, or NULL. */
const char *hand_out_doubt(const struct prediction *p, const struct hand_out_row *r);

#endif
