/* Computes the error of shares that come from samples. */
#ifndef GLIMPSE_ANALYSIS_SAMPLES_SAMPLE_SHARE_H
#define GLIMPSE_ANALYSIS_SAMPLES_SAMPLE_SHARE_H

#include <stdint.h>

struct share_range {
	double low, high; /* from 0 to 1 */
};

/*
 * Returns the 95 % interval (Wilson's) of a share that k of n samples have; [0, 1] if n is 0.
 * Samples count as independent.
 */
struct share_range sample_share(uint64_t k, uint64_t n);

#endif
