/* Finds ready threads whose processors others had. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_PREEMPTED_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_PREEMPTED_H

#include "analysis/replay/recorded/model.h"

/* Whether a thread was preempted by threads of the program, or yielded, at a stretch. */
bool preempted_at(const struct model *m, uint32_t thread, size_t stretch);
/* Whether other programs took the processor of a thread that ran. */
bool lost_at(const struct model *m, uint32_t thread, size_t stretch);

#endif
