/* Computes the error of shares that come from samples. */
#ifndef GLIMPSE_ANALYSIS_SAMPLES_SAMPLE_SHARE_H
#define GLIMPSE_ANALYSIS_SAMPLES_SAMPLE_SHARE_H

#include <stdint.h>

struct share_range {
	double low, high;       /* from 0 to 1 */
};

/*
 * Returns the 95 % interval (Wilson's) of the share of which k of n samples were; [0, 1] of no samples.
 * Samples count as if they were independent.
 */
struct share_range sample_share(uint64_t k, uint64_t n);

#endif
