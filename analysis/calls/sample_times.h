/*
 * Computes the times of a sampled thread's functions: divides its running time equally among its
 * samples.
 */
#ifndef GLIMPSE_ANALYSIS_CALLS_SAMPLE_TIMES_H
#define GLIMPSE_ANALYSIS_CALLS_SAMPLE_TIMES_H

#include "analysis/calls/call_tree.h"

/*
 * Changes the times of a tree in which each sample stands for the time since the sample before.
 * Gaps are longer before some functions than before others, as where threads change their
 * processors, each with a timer of its own; then such times are biased. Sums of the tree stay as
 * they are, to the nanosecond.
 */
void sample_times_share(struct call_tree *t);

#endif
