/* Writes the changes of a prediction in words. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ASKED_H
#define GLIMPSE_ANALYSIS_REPLAY_ASKED_H

#include "analysis/replay/prediction.h"

/*
 * Returns all changes as one text, "compress x 2, on 4 processors"; empty without changes. The
 * caller frees it.
 */
char *asked_text(const struct changes *c);

#endif
