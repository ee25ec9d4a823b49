/*
 * Writes a predicted run as a log directory: the recorded events at the times that the replay says,
 * and the states of its threads in the replay.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_WRITTEN_PREDICTED_H
#define GLIMPSE_ANALYSIS_REPLAY_WRITTEN_PREDICTED_H

#include "analysis/replay/answer/prediction.h"

/*
 * Fills an empty directory; returns false after a report to diag. Times are nanoseconds from then
 * on; the program's name says that the run is predicted. Other processes of the run are directories
 * in it, as they were.
 */
bool predicted_write(const struct prediction *p, const char *path, struct diag *diag);

#endif
