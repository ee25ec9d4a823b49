/*
 * Statistics of an interval without keeping which instance has which partner: the stream goes
 * straight from the merge into rows, which hold all that is needed. For conditions that are nothing
 * but equalities of integers, between events; that is what Match and "the same thread" are.
 */
#ifndef GLIMPSE_MATCH_STATS_TALLY_H
#define GLIMPSE_MATCH_STATS_TALLY_H

#include "match/join/match.h"

struct tally {
	const struct interval *interval;
	size_t anchors, matched;
	size_t partners, unserved, shared;
	/* The durations of the instances; then, up to `anchors`, the times of anchors without a
	 * partner. spill_free() it. */
	int64_t *words;
};

/* False: the interval is not so simple, and nothing was done. */
bool tally_interval(struct trace *t, const struct interval *interval, struct tally *tally);

#endif
