/* Finds the instances of a trace's intervals, one interval after the other, in the background. */
#ifndef GLIMPSE_GORGE_INDEX_MATCHER_H
#define GLIMPSE_GORGE_INDEX_MATCHER_H

#include "viewers/gorge/index/generation.h"
#include "viewers/gorge/index/instances.h"

struct searcher;
/*
 * before: of the same age under other definitions, or NULL. What it has found and is still defined need not be looked
 * for again.
 */
struct searcher *searcher_new(struct age *a, struct searcher *before);
/* Those that are shown at first, before somebody asks for them. */
void searcher_begin(struct searcher *s);
/* What is just being looked for cannot be broken off: it goes when that is found. */
void searcher_free(struct searcher *s);

/* The trace has grown: what was found is given out until searcher_again() has it looked for once more, and searcher_renew(). */
void searcher_grow(struct searcher *s, struct age *a);
void searcher_again(struct searcher *s);
/* Gives out what was found anew. What was given out before goes: nobody uses it. */
void searcher_renew(struct searcher *s);
struct searcher_age {
	bool searching;         /* anything is being looked for */
	bool renewed;           /* something was found anew and is not given out */
	bool old;               /* something that is given out is of an age before */
	int64_t until;          /* which lasted so long */
};
struct searcher_age searcher_age(struct searcher *s);

/* NULL: they are not found yet, but will be. They are the searcher's. */
struct instances *searcher_get(struct searcher *s, const struct interval *interval);
/* The same, and waits for them. */
struct instances *searcher_await(struct searcher *s, const struct interval *interval);
/*
 * Waits until the intervals (by their index) are found, but not for more than so many milliseconds;
 * less than 0: as long as it takes. Gives how many are not. What was waited for last comes first.
 */
unsigned searcher_wait(struct searcher *s, const bool *intervals, long milliseconds);
/* The same, and until they are stacked together: from now on those are shown. */
void searcher_show(struct searcher *s, const bool *intervals, long milliseconds);
/* Whether the interval's are asked for and not found yet, or shown and not stacked. */
bool searcher_seeks(struct searcher *s, const struct interval *interval);

/* The search is for one caller at a time; these are its begin and end. */
void searcher_lock(struct searcher *s);
/* Somebody is going to use the trace's event lists, or matches, which have them: from now on they stay. */
void searcher_lend(struct searcher *s);
void searcher_unlock(struct searcher *s);

/* Which intervals are shown at first: those with a connection; all, if none has one. */
bool searcher_shows(const struct spec *spec, const struct interval *interval);
/* Matches, and keeps what is drawn. */
struct instances *search_interval(struct age *a, const struct interval *interval);

#endif
