/* Describes findings, merges equal findings, and sorts them. */
#ifndef GLIMPSE_ANALYSIS_WHY_FINDING_H
#define GLIMPSE_ANALYSIS_WHY_FINDING_H

#include "analysis/why/search.h"

/* Makes a finding of a node of the history and its focus. */
void finding_add(struct search *s, size_t node, const struct focus *f);
/*
 * Joins findings that cost the same time, of which the one that costs most stays, of equals the one
 * that is refined most; and puts what costs most first.
 */
void findings_join(struct search *s);
/* Returns whether a finding is of waits that never end. */
bool is_deadlock(const struct finding *f);
/* Returns the measure of a condition that is of events which end turns (TEST_ENDED); NULL: there is none. */
const struct test_measure *ended_in(const struct expr *e);
void finding_free(struct finding *f);

#endif
