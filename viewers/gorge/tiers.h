/*
 * The intervals within threads, stacked in rows over the whole trace, so that a row does not change
 * when the window does.
 */
#ifndef GLIMPSE_GORGE_TIERS_H
#define GLIMPSE_GORGE_TIERS_H

#include "viewers/gorge/instances.h"

/* Whose rows the sheaves of the intervals' instances are. */
struct tiers {
	unsigned nthreads, rows;        /* of each thread: at most */
	unsigned nkeys;
	struct instances **keys;        /* NULL: has none yet */
	unsigned *depths;               /* by thread */
	uint64_t *deep;                 /* by thread: instances that found no row of their own */
};

/*
 * Stacks the instances of these keys, whose sheaves within threads are parted and joined as the rows
 * want it. The keys are the caller's.
 */
struct tiers *tiers_new(const struct census *c, unsigned rows, struct instances **keys, unsigned nkeys);
void tiers_free(struct tiers *s);
/* Stacks instances that nobody uses yet, alone, so that tiers of nothing else find it done. */
void tiers_prepare(const struct census *c, unsigned rows, struct instances *n);

/* What a row of a thread has of a key; NULL: nothing. */
const struct sheaf *tiers_row(const struct tiers *s, unsigned thread, unsigned row, unsigned key);
/* Whether any thread has instances of the key. */
bool tiers_have(const struct tiers *s, unsigned key);
/* How many instances of all threads have no row of their own. */
uint64_t tiers_deep(const struct tiers *s);

#endif
