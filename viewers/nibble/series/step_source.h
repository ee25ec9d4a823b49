/* The steps of one source, piece by piece: where it rises by one, and, of open(), where it falls.
 */
#ifndef GLIMPSE_NIBBLE_SERIES_STEP_SOURCE_H
#define GLIMPSE_NIBBLE_SERIES_STEP_SOURCE_H

#include "viewers/nibble/series/evaluate.h"

/* More than a picture has pixels across. */
enum { STEP_PIECES = 1 << 14 };

struct step_source;

/* Of count, open or unmatched, from its tally if it has one. */
struct step_source *step_source_new(struct evaluation *v, const struct node *n);
void step_source_free(struct step_source *c);

/* Its value where a piece begins; of the first one, before the range. */
double step_source_start(const struct step_source *c, size_t piece);
/* How many steps it has in a piece. */
size_t step_source_count(const struct step_source *c, size_t piece);

/*
 * A step of one of several sources, as a number that rises with its time: the time since the
 * piece's begin, the source, and whether it falls.
 */
enum { STEP_BITS = 9, STEP_SOURCES = 1 << (STEP_BITS - 1) };

static inline uint64_t step_pack(uint64_t since, unsigned source, bool falls)
{
	return since << STEP_BITS | source << 1 | falls;
}

static inline uint64_t step_pack_time(double since, unsigned source, bool falls)
{
	return step_pack((uint64_t)since, source, falls);
}

/* From where times in a piece are counted: a whole number. */
double step_source_base(const struct step_source *c, size_t piece);
/* Writes the steps in a piece, in no order. */
void step_source_write(const struct step_source *c, size_t piece, unsigned source, uint64_t *steps);

#endif
