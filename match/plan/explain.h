/* How the engine searches for an interval: its plan in words, and what it cost. */
#ifndef GLIMPSE_MATCH_PLAN_EXPLAIN_H
#define GLIMPSE_MATCH_PLAN_EXPLAIN_H

#include "match/plan/plan.h"
#include "trace/trace.h"
#include <stdio.h>

void explain_plan(const struct plan *plan, FILE *out);

/* The plan of each (the list ends in NULL), and what finding its instances cost. */
void explain_intervals(struct trace *t, const struct interval **intervals, FILE *out);

#endif
