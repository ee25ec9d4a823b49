/* Statistics of one interval's instances; exact, no sampling. */
#ifndef GLIMPSE_MATCH_STATS_STATS_H
#define GLIMPSE_MATCH_STATS_STATS_H

#include "match/join/match.h"

struct stats {
	size_t count, unmatched;
	int64_t min, max, p50, p90, p99;        /* nanoseconds; meaningless when count is 0 */
	__int128 total;
	double mean;
};

void stats_of(const struct matches *m, struct stats *s);

#endif
