/* Prints a plan in words, for `glimpse match --explain`. */
#ifndef GLIMPSE_MATCH_PLAN_EXPLAIN_H
#define GLIMPSE_MATCH_PLAN_EXPLAIN_H

#include "match/plan/plan.h"
#include <stdio.h>

/* Prints what the plan does with each conjunct, and what n events can cost. */
void plan_explain(const struct plan *plan, FILE *out);

#endif
