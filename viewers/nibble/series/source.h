/* The series that a function of the trace gives: count(E), mean(I.time), hist(E.seq), ... */
#ifndef GLIMPSE_NIBBLE_SERIES_SOURCE_H
#define GLIMPSE_NIBBLE_SERIES_SOURCE_H

#include "viewers/nibble/series/evaluate.h"

/*
 * One series, or with "per" one for each member. A selection without an event is told to v->diag,
 * at n's place.
 */
struct family source_family(struct evaluation *v, const struct node *n);

/* What the axis calls its values: "events/s". */
const char *source_quantity(const struct node *n);
/* That nothing is selected is an error, which v->diag is told, unless the user allows it. */
bool source_check(struct evaluation *v, const struct node *n, bool any);

#endif
