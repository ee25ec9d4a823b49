/*
 * Finds the time of a thread that each of its samples stands for, by the locks that the thread
 * holds.
 *
 * A thread that takes a lock more often than it is sampled spends the time between two samples in
 * several holds. A sample that was taken in a hold stands for holds of that lock, and not for the
 * time between them:
 *
 *	holds     [--L--]      [--L--]      [--L--]
 *	samples                      1          2
 *	1 is for  [-----]      [----]
 *	2 is for                    [-]      [--]
 *
 * It stands for the time since the sample before that was taken under the same lock. What comes
 * after the last one belongs to it. Where a lock is held under which no sample was taken, time
 * belongs to the thread's next sample.
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_HELD_SAMPLES_H
#define GLIMPSE_ANALYSIS_ACTIVITY_HELD_SAMPLES_H

#include "analysis/activity/instance_set.h"
#include "analysis/samples/samples.h"

/*
 * Returns what the samples of a thread stand for, by time: a sample may be there several times. The
 * caller frees the list. holds: by their starts; of holds within holds the one that began last
 * counts. Locks are told apart by the spans' classes. Without holds the list is that of the thread.
 */
struct thread_samples held_samples(const struct thread_samples *t, const span_vector *holds);

#endif
