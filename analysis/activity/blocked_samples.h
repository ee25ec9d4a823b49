/*
 * Takes the time in which a thread is blocked from its samples, which are of code that runs. It is
 * the time of the functions that wait, if the wait has a stack; else it is that of no function.
 *
 *	samples    [--------1--------------)[--2--
 *	blocked         [--------)  [---)
 *	wait            [-with S-]
 *	result     [-1-)[---S----)[1)    [1)[--2--
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_BLOCKED_SAMPLES_H
#define GLIMPSE_ANALYSIS_ACTIVITY_BLOCKED_SAMPLES_H

#include "analysis/activity/instance_set.h"
#include "analysis/samples/samples.h"

/*
 * Returns the samples of a thread with such times: of each sample at most one part counts. The
 * caller frees the list. classes: of the thread's states and waits, which are in any order.
 */
struct thread_samples blocked_samples(const struct thread_samples *t,
				      const struct span_class *classes, const span_vector *states,
				      const span_vector *waits);

#endif
