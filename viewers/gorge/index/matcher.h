/* Finds the instances of a trace's intervals, one interval after the other, in the background. */
#ifndef GLIMPSE_GORGE_INDEX_MATCHER_H
#define GLIMPSE_GORGE_INDEX_MATCHER_H

#include "viewers/gorge/index/generation.h"
#include "viewers/gorge/index/instances.h"

struct matcher;
/*
 * before: of the same age under other definitions, or NULL. What it has found and is still defined need not be looked
 * for again.
 */
struct matcher *matcher_new(struct generation *a, struct matcher *before);
/* Those that are shown at first, before somebody asks for them. */
void matcher_begin(struct matcher *s);
/* What is just being looked for cannot be broken off: it goes when that is found. */
void matcher_free(struct matcher *s);

/* The trace has grown: what was found is given out until matcher_again() has it looked for once more, and matcher_renew(). */
void matcher_grow(struct matcher *s, struct generation *a);
void matcher_again(struct matcher *s);
/* Gives out what was found anew. What was given out before goes: nobody uses it. */
void matcher_renew(struct matcher *s);
struct matcher_state {
	bool searching;         /* anything is being looked for */
	bool renewed;           /* something was found anew and is not given out */
	bool old;               /* something that is given out is of an age before */
	int64_t until;          /* which lasted so long */
};
struct matcher_state matcher_state(struct matcher *s);

/* NULL: they are not found yet, but will be. They are the matcher's. */
struct instances *matcher_get(struct matcher *s, const struct interval *interval);
/* The same, and waits for them. */
struct instances *matcher_await(struct matcher *s, const struct interval *interval);
/*
 * Waits until the intervals (by their index) are found, but not for more than so many milliseconds;
 * less than 0: as long as it takes. Gives how many are not. What was waited for last comes first.
 */
unsigned matcher_wait(struct matcher *s, const bool *intervals, long milliseconds);
/* The same, and until they are stacked together: from now on those are shown. */
void matcher_show(struct matcher *s, const bool *intervals, long milliseconds);
/* Whether the interval's are asked for and not found yet, or shown and not stacked. */
bool matcher_seeks(struct matcher *s, const struct interval *interval);

/* The search is for one caller at a time; these are its begin and end. */
void matcher_lock(struct matcher *s);
/* Somebody is going to use the trace's event lists, or matches, which have them: from now on they stay. */
void matcher_lend(struct matcher *s);
void matcher_unlock(struct matcher *s);

/* Which intervals are shown at first: those with a connection; all, if none has one. */
bool matcher_shows(const struct spec *spec, const struct interval *interval);
/* Matches, and keeps what is drawn. */
struct instances *match_instances(struct generation *a, const struct interval *interval);

#endif
