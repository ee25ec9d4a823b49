/*
 * What windows of time hold of an event type: gathered for all expressions in one pass over the
 * logs, on all processors. The order between threads, which the lists of trace_events() are merged
 * for, does not matter to it.
 */
#ifndef GLIMPSE_NIBBLE_SAMPLE_WINDOW_TALLY_H
#define GLIMPSE_NIBBLE_SAMPLE_WINDOW_TALLY_H

#include "viewers/nibble/series/evaluate.h"

struct values;
struct window_tally;

/* What a source's series is for: to be computed with; to be drawn itself; to be a part of a ladder.
 */
enum tally_use { TALLY_COMPUTED, TALLY_DRAWN, TALLY_STEPS };

/*
 * Adds a tally for this source to the evaluation, to be filled by tallies_fill(). False where the
 * source must be computed from samples: it asks for an interval or for every single event, or there
 * are few.
 */
bool tally_plan(struct evaluation *v, const struct node *n, enum tally_use use);
/*
 * Where the curves of a family turn out to be too many for the memory, its tally is given up, and
 * its events are announced to be listed.
 */
void tallies_fill(struct evaluation *v);
void tallies_free(struct evaluation *v);
/* The tally of a source, or NULL. */
const struct window_tally *tally_find(const struct evaluation *v, const struct node *n);

/* How many of the selected events stand in the windows. */
uint64_t tally_count(const struct window_tally *y);

/* For a ladder, the steps in a window, see climb.h; and how many events stand before the range. */
size_t tally_window_count(const struct window_tally *y, size_t window);
void tally_steps(const struct window_tally *y, size_t window, unsigned source, uint64_t *steps);
uint64_t tally_before(const struct window_tally *y);

/*
 * How many curves there are: one, or those of a family, in the order of their keys: the number of a
 * thread or the value of an attribute.
 */
size_t tally_curves(const struct window_tally *y);
int64_t tally_key(const struct window_tally *y, size_t curve);
/* rate, mean, min, max, sum and quantiles; and count as it is drawn. */
struct curve *tally_curve(const struct window_tally *y, size_t curve);
/* Whether it is for a distribution or for points; then its values, in its windows, are the caller's
 * to values_clear(). */
bool tally_has_values(const struct window_tally *y);
struct values tally_values(const struct window_tally *y, size_t curve);

/* Of fewer events no tally is made; tests make it small. */
extern uint64_t tally_least;
/* Of more windows, of all curves and threads, neither: they would fill the memory. */
extern size_t tally_most;

#endif
