/*
 * Counts, in a trace of several processes, how many of an interval's instances are within one
 * process, and how many connect two. If there are both, and the condition does not mention
 * processes, unrelated events of different programs may have been matched.
 */
#ifndef GLIMPSE_MATCH_STATS_CROSSING_H
#define GLIMPSE_MATCH_STATS_CROSSING_H

#include "match/join/match.h"

struct crossing {
	uint64_t within, across;
};

/* Tells whether it is to be asked of an interval: not where there is one process, or where the
 * condition speaks of processes, or of equal threads. */
bool crossing_matters(const struct trace *t, const struct interval *interval);
struct crossing crossing_of(const struct trace *t, const struct matches *m);
void crossing_warn_of(const struct trace *t, const struct matches *m, struct diag *diag);
/* Warns if there are both. */
void crossing_warn(const struct crossing *c, const struct interval *interval, struct diag *diag);

#endif
