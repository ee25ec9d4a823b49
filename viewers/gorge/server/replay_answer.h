/* Writes the answer of a prediction for the page. */
#ifndef GLIMPSE_GORGE_SERVER_REPLAY_ANSWER_H
#define GLIMPSE_GORGE_SERVER_REPLAY_ANSWER_H

#include "analysis/replay/answer/prediction.h"

/*
 * Writes an object of JSON to a file. It has the change in words, the times in ns under the names
 * that glimpse whatif --format=json has, what limits the predicted run, and the locks whose waits
 * change most. What limits the run is null if it takes no time. Returns false after a report to
 * diag.
 */
bool replay_answer_write(const struct prediction *p, const struct changes *c, const char *path,
			 struct diag *diag);

#endif
