/* Whether two sets of values differ by more than chance: the rank-sum test of Mann and Whitney. */
#ifndef GLIMPSE_MATCH_STATS_RANKSUM_H
#define GLIMPSE_MATCH_STATS_RANKSUM_H

#include <stddef.h>
#include <stdint.h>

struct ranksum {
	/*
	 * The chance that equal distributions give ranks this far apart, both ways; 1 when one is
	 * empty.
	 */
	double p;
	/*
	 * How often a value of b is greater than one of a, ties counting half: 0.5 where neither
	 * is.
	 */
	double greater;
};

/* Both ascending. By the normal approximation, corrected for ties and continuity. */
struct ranksum ranksum_test(const int64_t *a, size_t na, const int64_t *b, size_t nb);

#endif
