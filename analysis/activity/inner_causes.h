/* Leaves out the causes of waits, and the holds, within a wait whose own cause is known. */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_INNER_CAUSES_H
#define GLIMPSE_ANALYSIS_ACTIVITY_INNER_CAUSES_H

#include "analysis/activity/instance_set.h"

/*
 * A wait within a wait for something else is how the outer one is done, and counts with it. So
 * does what ended the inner one, such as the signal of a condition within a monitor of a virtual
 * machine: if the outer one has a cause, its inner causes are left out. So are the locks that the
 * thread acquires and releases within it: a replay in which it waits and holds the lock of that
 * condition would never come to the signal. The set has its waits and holds.
 */
void inner_causes_drop(struct instance_set *s);

#endif
