/*
 * Intervals of which few anchors each look for the newest of very many earlier partners, such as the
 * release before a wait ended: of partners with the same values that come one after the other only the
 * last before an anchor can be one. The others are left out while the lists of events are made, before
 * the engine sees them. An anchor whose partner is close before it gets it there, too.
 */
#ifndef GLIMPSE_MATCH_JOIN_CANDIDATE_FILTER_H
#define GLIMPSE_MATCH_JOIN_CANDIDATE_FILTER_H

#include "match/join/match.h"

/* How many times as many partners as anchors there must be; tests make it 0. */
extern size_t sieve_many;

/*
 * Finds the instances of n intervals, as match_interval() does. What else is asked of the trace should
 * have been announced: it is listed in the same pass.
 */
void match_intervals(struct trace *t, const struct interval *const *intervals, unsigned n,
		     struct matches **found);

#endif
