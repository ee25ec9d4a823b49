/*
 * Finds waits for locks whose time was up. Had the thread that held the lock released it before,
 * the wait would have ended then:
 *
 *	waiter   | wait, 110 |--->
 *	holder   --------------------release|--
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_TIMED_LOCKS_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_TIMED_LOCKS_H

#include "analysis/replay/reasons/timed_waits.h"

/* Sets `hold` of these waits. */
void timed_locks_find(const struct model *m, timed_waits *waits);

#endif
