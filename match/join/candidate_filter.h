/*
 * Speeds up intervals with few anchors and many partners, where only the latest earlier partner
 * counts, such as the release before a wait ended. Of partners with the same values only the last
 * before an anchor can be one: the others are dropped while the lists of events are made. An anchor
 * whose partner is close gets it in the same pass.
 */
#ifndef GLIMPSE_MATCH_JOIN_CANDIDATE_FILTER_H
#define GLIMPSE_MATCH_JOIN_CANDIDATE_FILTER_H

#include "match/join/match.h"

/* How many times as many partners as anchors there must be; tests make it 0. */
extern size_t candidate_filter_many;

/*
 * Finds the instances of n intervals, as match_interval() does. What else is asked of the trace
 * should have been announced: it is listed in the same pass.
 */
void match_intervals(struct trace *t, const struct interval *const *intervals, unsigned n,
		     struct matches **found);

#endif
