/* Writes the changes of a prediction in words. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_CHANGES_TEXT_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_CHANGES_TEXT_H

#include "analysis/replay/answer/prediction.h"

/*
 * Returns all changes as one text, "compress x 2, on 4 processors"; empty without changes. The
 * caller frees it.
 */
char *replay_changes_text(const struct changes *c);

#endif
