/* The steps of one source, piece by piece: where it rises by one, and, of open(), where it falls.
 */
#ifndef GLIMPSE_NIBBLE_SERIES_STEP_SOURCE_H
#define GLIMPSE_NIBBLE_SERIES_STEP_SOURCE_H

#include "viewers/nibble/series/evaluate.h"

/* More than a picture has pixels across. */
enum { CLIMB_PIECES = 1 << 14 };

struct climb;

/* Of count, open or unmatched, from its tally if it has one. */
struct climb *climb_new(struct evaluation *v, const struct node *n);
void climb_free(struct climb *c);

/* Its value where a piece begins; of the first one, before the range. */
double climb_start(const struct climb *c, size_t piece);
/* How many steps it has in a piece. */
size_t climb_steps(const struct climb *c, size_t piece);

/*
 * A step of one of several sources, as a number that rises with its time: the time since the
 * piece's begin, the source, and whether it falls.
 */
enum { STEP_BITS = 9, MOST_CLIMBS = 1 << (STEP_BITS - 1) };

static inline uint64_t step_after(uint64_t since, unsigned source, bool falls)
{
	return since << STEP_BITS | source << 1 | falls;
}

static inline uint64_t step_of(double since, unsigned source, bool falls)
{
	return step_after((uint64_t)since, source, falls);
}

/* From where times in a piece are counted: a whole number. */
double climb_base(const struct climb *c, size_t piece);
/* Writes the steps in a piece, in no order. */
void climb_write(const struct climb *c, size_t piece, unsigned source, uint64_t *steps);

#endif
