/* Writes the answer of a prediction for the page. */
#ifndef GLIMPSE_GORGE_SERVER_REPLAY_ANSWER_H
#define GLIMPSE_GORGE_SERVER_REPLAY_ANSWER_H

#include "analysis/replay/answer/prediction.h"

/*
 * Writes the file folder/answer, JSON as glimpse whatif --format=json, and the file folder/asked,
 * the changes in words. Single operations of the changed replay are forgotten then. Returns false
 * after a report to diag.
 */
bool replay_answer_write(struct prediction *p, const struct changes *c, const char *folder,
			 struct diag *diag);

#endif
