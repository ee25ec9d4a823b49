/* The rows of intervals within threads as a picture shows some intervals. */
#ifndef GLIMPSE_GORGE_INDEX_ROWS_H
#define GLIMPSE_GORGE_INDEX_ROWS_H

#include "viewers/gorge/index/stacking.h"

/*
 * In threads in which the intervals are not stacked together yet they lie one below the other.
 */
struct tiers {
	unsigned nthreads, rows;        /* of each thread: at most, when they are stacked */
	unsigned nkeys;
	struct instances **keys;        /* NULL: has none yet */
	unsigned *depths;               /* by thread */
	unsigned *firsts;               /* by thread and key: above its rows there are so many of others */
	bool *apart;                    /* by key: in some thread it lies apart from those that it is to be stacked with */
	uint64_t deep;                  /* so many instances found no row of their own */
};

/* Takes the keys. Holds the sheaves until it is freed, by the same thread. */
struct tiers *tiers_new(const struct trace *t, struct instances **keys, unsigned nkeys);
void tiers_free(struct tiers *s);

/* What a row of a thread has of a key; NULL: nothing. */
const struct sheaf *tiers_row(const struct tiers *s, unsigned thread, unsigned row, unsigned key);
/* Whether any thread has instances of the key. */
bool tiers_have(const struct tiers *s, unsigned key);

#endif
