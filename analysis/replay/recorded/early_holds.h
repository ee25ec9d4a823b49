/*
 * Finds since when locks may have been held whose acquisitions the trace does not show: a lock that
 * waits by a system call makes none when it is free. The trace has them since another thread began
 * to wait.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_EARLY_HOLDS_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_EARLY_HOLDS_H

#include "analysis/replay/recorded/model.h"

/* Why it is not known how long locks were held. */
#define HOLDS_UNSEEN \
	"a thread that acquires a free lock makes no system call, so its hold is known only since " \
	"another thread began to wait"

/*
 * Returns by hold of the model when it may have begun at the earliest: after the release before,
 * and after the last wait of its thread for the lock. If threads share the lock, only releases of
 * its own thread count. The caller frees it; NULL: all holds begin as recorded.
 */
int64_t *early_holds_of(const struct model *m);

#endif
