/*
 * Makes a prediction for each of several threads that replay the same run in parallel, with
 * different changes.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_PREDICTION_FORK_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_PREDICTION_FORK_H

#include "analysis/replay/answer/prediction.h"

/*
 * Returns a prediction with changed replays of its own. It shares all else with the first one,
 * which outlives it. prediction_fork_free() frees it. Two threads may not call prediction_choose()
 * at once, not even for different forks: it asks for names.
 */
struct prediction *prediction_fork(const struct prediction *p);
void prediction_fork_free(struct prediction *fork);

#endif
