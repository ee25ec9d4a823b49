/* Computes the error of a prediction if only samples show when a function ran. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_SAMPLING_ERROR_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_SAMPLING_ERROR_H

#include "analysis/replay/changes/speeds.h"
#include "analysis/samples/samples.h"

/*
 * Factors of what a change gains, or loses, between which it is in 95 of 100 recordings: low <= 1
 * <= high.
 */
struct effect_range {
	double low, high;
};

/*
 * Returns {1, 1} if no thread has samples in what is changed. As the critical path may lead through
 * any thread, the range is that of the thread with the most samples there.
 */
struct effect_range sampling_error(const struct samples *s, const struct speeds *speeds);

#endif
