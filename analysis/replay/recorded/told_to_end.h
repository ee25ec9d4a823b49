/*
 * Finds threads that another one tells to end in a way that no event shows: by a signal, or through
 * a pipe. A thread waits for most of its life, without a known cause, and ends; the one that joins
 * it begins to do so at about the time at which that wait ends.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_TOLD_TO_END_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_TOLD_TO_END_H

#include "analysis/replay/recorded/model.h"

/*
 * Adds a cause for each such wait, at the end of the model's sorted ones. Returns whether there is
 * one.
 */
bool told_to_end_add(struct model *m);

#endif
