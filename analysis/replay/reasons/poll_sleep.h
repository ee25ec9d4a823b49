/* Which waits are sleeps of a thread that may poll. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_POLL_SLEEP_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_POLL_SLEEP_H

#include "analysis/replay/recorded/model.h"

/* Returns the class of the wait that a stretch is, NO_NUMBER: it is none, or a device's. */
uint32_t poll_sleep_class(const struct model *m, uint32_t thread, size_t stretch);

/* Whether the creator of a thread may poll for its end: the creator waits at that time. */
bool polling_possible(const struct model *m, uint32_t thread);

#endif
