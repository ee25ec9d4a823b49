/* Evaluates the conditions of measures on single instances: share(LockWait[where time > 1 ms]). */
#ifndef GLIMPSE_ANALYSIS_WHY_INSTANCE_CONDITIONS_H
#define GLIMPSE_ANALYSIS_WHY_INSTANCE_CONDITIONS_H

#include "analysis/activity/instance_set.h"

/* Those of some hypotheses, the first MOST_CONDITIONS; a vector of zeros is an empty one. */
typedef VECTOR(struct span_condition) condition_list;

/* Adds those of the measures in an expression, which may be NULL. */
void conditions_collect(condition_list *c, const struct expr *e);
/* Returns the bit of a measure among n conditions; 0: it has none. */
uint64_t condition_bit(const struct span_condition *c, size_t n, const struct test_measure *m);

#endif
