/*
 * Tests whether measures differ between two groups of runs. Each run has one value of each measure:
 * values within a run depend on one another, runs do not.
 *
 * The test is an exact permutation test. If the groups do not differ, any split of the runs into
 * groups of these sizes is as likely as the one that was made. The p of a measure is the share of
 * splits in which any measure separates the groups as clearly (Westfall and Young, maximum of |t|).
 * So p is corrected for the number of measures, and assumes no distribution.
 */
#ifndef GLIMPSE_MATCH_STATS_RUN_TEST_H
#define GLIMPSE_MATCH_STATS_RUN_TEST_H

#include <stddef.h>

/* With more splits than this, so many are drawn at random, always the same ones. */
enum { RUN_SPLITS_MOST = 5000 };

/* Returns the least p that groups of these sizes can reach. Both are at least 1. */
double run_test_reach(unsigned before, unsigned after);

/*
 * Sets p[i] for each of n measures. values[i] has before + after finite numbers, the group before
 * first. A measure whose values are all equal has p = 1.
 */
void run_test(const double *const *values, size_t n, unsigned before, unsigned after, double *p);

#endif
