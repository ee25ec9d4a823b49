/* Describes findings, merges equal findings, and sorts them. */
#ifndef GLIMPSE_ANALYSIS_WHY_FINDING_H
#define GLIMPSE_ANALYSIS_WHY_FINDING_H

#include "analysis/why/search.h"

/* Makes a finding of a node of the history and its focus. */
void finding_add(struct search *s, size_t node, const struct focus *f);
/*
 * Merges findings that cost the same time, and sorts them by cost, the highest first. Of merged
 * findings the one with the highest cost stays; of equal ones, the most refined one.
 */
void findings_join(struct search *s);
/* Returns whether a finding is about waits that never end. */
bool is_hang(const struct finding *f);
/* Returns whether these are of all threads of a process, in no known cycle. */
bool is_stuck(const struct finding *f);
/* Whether it is about a quota of processor time. */
bool is_throttled(const struct finding *f);
/* Returns the measure of a condition about events that end turns (TEST_ENDED); NULL: none. */
const struct test_measure *ended_in(const struct expr *e);
void finding_free(struct finding *f);

#endif
