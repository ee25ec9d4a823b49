/* Computes curves, values and steps from a filled tally. */
#ifndef GLIMPSE_NIBBLE_SERIES_TALLIED_H
#define GLIMPSE_NIBBLE_SERIES_TALLIED_H

#include "viewers/nibble/sample/values.h"
#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/curve.h"

/* Counts the selected events that stand in the windows. */
uint64_t tally_count(const struct window_tally *y);

/* Returns a curve of rate, mean, min, max, sum or quantiles; or of count, as it is drawn. */
struct curve *tally_curve(const struct window_tally *y, size_t curve);
/* Returns the key of a member of a family, whose curves are in the order of their keys. */
int64_t tally_key(const struct window_tally *y, size_t curve);

/* Tests whether the tally has values, for a distribution or for points. */
bool tally_has_values(const struct window_tally *y);
/* Returns the values in their windows; the caller releases them with values_clear(). */
struct values tally_values(const struct window_tally *y, size_t curve);

/*
 * A step of one of several sources, as a number that rises with its time: the time since the
 * beginning of the window, the source, and whether the source falls.
 */
enum { STEP_BITS = 9, STEP_SOURCES = 1 << (STEP_BITS - 1) };

static inline uint64_t step_pack(uint64_t since, unsigned source, bool falls)
{
	return since << STEP_BITS | source << 1 | falls;
}

/* Counts the steps in a window; writes them; counts the events before the first window. */
size_t tally_window_count(const struct window_tally *y, size_t window);
void tally_steps(const struct window_tally *y, size_t window, unsigned source, uint64_t *steps);
uint64_t tally_before(const struct window_tally *y);

#endif
