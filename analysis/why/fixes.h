/*
 * Chooses what to fix first: finds the row of a rank for each finding, and sorts the findings by
 * it.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_FIXES_H
#define GLIMPSE_ANALYSIS_WHY_FIXES_H

#include "analysis/rank/rank.h"
#include "analysis/why/search.h"

/*
 * Sets the fix of each finding: the first row of the rank that the finding waits for, of at least a
 * hundredth of the run. Drops waits at queues whose end gains nothing, joins those with the same
 * fix, and drops computing that is waiting by spinning (analysis/samples/spinning.h). Puts first
 * what gains most. The rank is needed as long as the findings.
 */
void fixes_find(struct search *s, const struct rank *rank);

/* A gain below this share of the run is no advice. */
extern const double fix_least_gain;

/* Returns what fixing a row gains, in ns of the run: as replayed; else without it. */
double fix_gain(const struct rank_row *row);
/* Whether a row gains most by the removal of its lock, and that is worth the advice. */
bool fix_is_removal(const struct rank_row *row);
/* Returns the first finding that is about the program, not about its recording; NULL: none is. */
const struct finding *fix_first(const struct search *s);
/*
 * Returns whether a row is of times for which locks are held, but is no lock: what is computed in
 * them is no fault of theirs. Only threads that wait for a lock make its holds a cause.
 */
bool is_hold_row(const struct evidence *g, const struct rank_row *row);
/*
 * Returns whether a finding is of waits at queues, which are no cause: of a condition or a
 * semaphore.
 */
bool is_queue_wait(const struct finding *f);
/* Whether a measure is of the time during which some thread waits. */
bool is_of_waits_moments(const struct test_measure *m);

#endif
