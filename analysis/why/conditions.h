/* Which instances the conditions of measures hold for: share(LockWait[where time > 1 ms]). */
#ifndef GLIMPSE_ANALYSIS_WHY_CONDITIONS_H
#define GLIMPSE_ANALYSIS_WHY_CONDITIONS_H

#include "base/array.h"
#include "base/hash.h"
#include "trace/trace.h"

/* The conditions of the measures of some hypotheses; a bit for each, the first MOST_CONDITIONS. */
enum { MOST_CONDITIONS = 64 };
struct conditions {
	VECTOR(const struct test_measure *) measures;
	struct hash_table instances;    /* by where they begin; the slots number `bits` */
	VECTOR(uint64_t) bits;
};

/* Finds the measures with a condition in an expression, which may be NULL. */
void conditions_collect(struct conditions *c, const struct expr *e);
/* Finds for which instances they hold. */
void conditions_find(struct conditions *c, struct trace *t);
/* Returns the bits of the instance of an interval that begins with an event. */
uint64_t conditions_bits(const struct conditions *c, const struct interval *i, const struct event *start);
/* Returns the bit of a measure; 0: it has none. */
uint64_t condition_bit(const struct conditions *c, const struct test_measure *m);
void conditions_end(struct conditions *c);

#endif
