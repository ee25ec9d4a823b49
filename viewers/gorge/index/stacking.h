/*
 * Stacks the intervals within threads in rows over the whole trace, so that a row does not change
 * when the window does. Stacking is copy-on-write: it makes new spans for the rows and replaces the
 * old ones when nobody holds them.
 */
#ifndef GLIMPSE_GORGE_INDEX_STACKING_H
#define GLIMPSE_GORGE_INDEX_STACKING_H

#include "viewers/gorge/index/band.h"
#include "viewers/gorge/index/instances.h"

/*
 * Stacks the instances of n intervals, those of a band together, in their order, in threads in
 * which they are not yet. Several callers at once are fine, also while others hold the spans.
 */
void stacking_make(const struct event_index *events, struct instances *const *set, unsigned n);
/* Returns whether n intervals are stacked like that in every thread. */
bool stacking_is_made(const struct event_index *events, struct instances *const *set, unsigned n);

/* Keeps all spans within threads as they are, until the same thread calls stacking_release(). */
void stacking_hold(void);
void stacking_release(void);
/* Keeps others from stacking until stacking_resume(), so that instances may be renewed. */
void stacking_pause(void);
void stacking_resume(void);

/*
 * The rows of some intervals as a picture shows them. Where these are not stacked together yet,
 * each lies in rows of its own, one below the other.
 */
struct span_rows {
	unsigned nthreads;
	unsigned limits[BANDS]; /* rows of a thread, when all is stacked */
	unsigned nkeys;
	struct instances **keys; /* NULL: not found yet */
	enum band *bands;        /* of the keys that are found */
	unsigned *depths;        /* rows, by thread and band */
	unsigned *firsts;        /* by thread and key: the first row of the key in its band */
	bool *apart;             /* by key: in some thread it is not stacked with the others yet */
	uint64_t deep[BANDS];    /* instances for which there was no free row */
};

/* Takes the keys. Holds the spans until the rows are freed, by the same thread. */
struct span_rows *span_rows_new(const struct trace *t, struct instances **keys, unsigned nkeys);
void span_rows_free(struct span_rows *r);
/* Returns what a row of the key's band of a thread has of the key, or NULL. */
const struct spans *span_rows_at(const struct span_rows *r, unsigned thread, unsigned row,
				 unsigned key);
/* Returns whether any thread has instances of the key. */
bool span_rows_have(const struct span_rows *r, unsigned key);

#endif
