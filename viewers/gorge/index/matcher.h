/*
 * Finds the instances of a trace's intervals: from logs in the background (viewers/gorge/logs), in
 * an html document when they are asked for (viewers/gorge/wasm).
 */
#ifndef GLIMPSE_GORGE_INDEX_MATCHER_H
#define GLIMPSE_GORGE_INDEX_MATCHER_H

#include "viewers/gorge/index/instances.h"

struct matcher;
/*
 * Makes a matcher. before: a matcher of the same events under another specification, whose
 * instances of intervals that are defined alike are shared; or NULL.
 */
struct matcher *matcher_new(struct generation *g, struct matcher *before);
/* Frees the matcher, once it has found what it is just looking for. */
void matcher_free(struct matcher *m);

/* Begins to find the intervals that are shown at first, before anybody asks for them. */
void matcher_begin(struct matcher *m);
/* Returns the instances of an interval, or NULL while they are being found. */
struct instances *matcher_get(struct matcher *m, const struct interval *interval);
/* Waits for the instances of an interval, and returns them. */
struct instances *matcher_await(struct matcher *m, const struct interval *interval);
/*
 * Waits until all of some intervals (by interval.index) are found, or for some time, if
 * milliseconds is not negative. Returns how many are missing. Those that were waited for last come
 * first.
 */
unsigned matcher_wait(struct matcher *m, const bool *intervals, long milliseconds);
/*
 * Waits as matcher_wait() does, until the intervals are stacked, too, which are shown from now on.
 */
void matcher_show(struct matcher *m, const bool *intervals, long milliseconds);
/* Returns whether an interval is being found, or shown and not stacked yet. */
bool matcher_seeks(struct matcher *m, const struct interval *interval);

/* Take the right to match in the trace, which one caller has at a time, and give it back. */
void matcher_lock(struct matcher *m);
void matcher_unlock(struct matcher *m);
/*
 * Lets a new matcher of the same trace share that right with another one; nobody drops the lists.
 */
void matcher_join(struct matcher *m, struct matcher *with);
/* Keeps the trace's event lists from now on, as somebody is about to use them, or matches. */
void matcher_lend(struct matcher *m);

/* ---- of a trace that grows ---- */

/* Goes on to a newer generation; instances that were found before are given out until renewed. */
void matcher_grow(struct matcher *m, struct generation *g);
/* Begins to find all again that has more events now. */
void matcher_again(struct matcher *m);
/* Gives out what was found again; nobody may use what was given out before. */
void matcher_renew(struct matcher *m);

struct matcher_state {
	bool searching; /* something is being found */
	bool renewed;   /* something was found again, and is not given out yet */
	bool old;       /* something that is given out is of an earlier generation, */
	int64_t until;  /* which ended then */
};
struct matcher_state matcher_state(struct matcher *m);

#endif
