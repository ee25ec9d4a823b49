/*
 * Computes statistics of an interval without keeping which instance has which partner: the merged
 * stream goes straight into a join. For conditions that are nothing but equalities of integers,
 * between events: so are Match and "the same thread".
 */
#ifndef GLIMPSE_MATCH_STATS_TALLY_H
#define GLIMPSE_MATCH_STATS_TALLY_H

#include "match/join/match.h"

struct tally {
	const struct interval *interval;
	size_t anchors, matched;
	size_t partners, unserved, shared;
	/* The durations of the instances; then, up to `anchors`, the times of anchors without a
	 * partner. The caller frees it by spill_free(). */
	int64_t *words;
};

/* Returns false, and does nothing, if the interval is not that simple. */
bool tally_interval(struct trace *t, const struct interval *interval, struct tally *tally);

#endif
