/*
 * What windows of time hold of an event type: gathered for all expressions in one pass over the
 * logs, on all processors. The order between threads, which the lists of trace_events() are merged
 * for, does not matter to it.
 */
#ifndef GLIMPSE_NIBBLE_TALLY_H
#define GLIMPSE_NIBBLE_TALLY_H

#include "viewers/nibble/evaluate.h"
#include "viewers/nibble/pool.h"

struct tally;

/* What a source's series is for: to be computed with; to be drawn itself; to be a part of a ladder.
 */
enum tally_use { TALLY_COMPUTED, TALLY_DRAWN, TALLY_LADDER };

/*
 * Adds a tally for this source to the evaluation, to be filled by tallies_fill(). False where the
 * source must be computed from samples: it asks for an interval or for every single event, or there
 * are few.
 */
bool tally_plan(struct evaluation *v, const struct node *n, enum tally_use use);
void tallies_fill(struct evaluation *v);
void tallies_free(struct evaluation *v);
/* The tally of a source, or NULL. */
const struct tally *tally_find(const struct evaluation *v, const struct node *n);

/* Whether a thread has any of the selected events; and how many of them stand in the windows. */
bool tally_has(const struct tally *y, size_t thread);
uint64_t tally_count(const struct tally *y);

/* For a ladder, the steps in a window, see climb.h; and how many events stand before the range. */
size_t tally_window_count(const struct tally *y, size_t window);
void tally_steps(const struct tally *y, size_t window, double base, unsigned source,
		 uint64_t *steps);
uint64_t tally_before(const struct tally *y);

/* Those of a thread, by its index, or of all of them. */
#define ALL_THREADS SIZE_MAX
/* rate, mean, min, max, sum and quantiles; and count as it is drawn. */
struct series *tally_series(const struct tally *y, size_t thread);
/* Whether it is for a distribution or for points; then its values, in its windows, are the caller's
 * to pool_clear(). */
bool tally_is_pooled(const struct tally *y);
struct pool tally_pool(const struct tally *y, size_t thread);

/* Of fewer events no tally is made; tests make it small. */
extern uint64_t tally_least;

#endif
