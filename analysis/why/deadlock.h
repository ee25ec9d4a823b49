/*
 * Finds waits that never end, because each of several threads waits for a lock that the next one
 * holds.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_DEADLOCK_H
#define GLIMPSE_ANALYSIS_WHY_DEADLOCK_H

#include "analysis/why/evidence.h"

/*
 * Sets `deadlocked` of the waits that are in a cycle at the end of the trace, and the locks of the
 * evidence if there are any, or threads that are stuck. Reads the events of locks only if two
 * threads wait at the end.
 */
void deadlocks_set(struct evidence *g);

#endif
