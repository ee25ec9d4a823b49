/*
 * When locks were taken and free again. The stamp of a release is read before the lock is free, that of an
 * acquisition after the thread has it: a thread that found the lock held in between says more than they do.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CONTENTION_H
#define GLIMPSE_ANALYSIS_REPLAY_CONTENTION_H

#include "analysis/replay/model.h"

/* Finds the model's contended acquisitions, and sets `early`, `late`, `wait` and `shared` of its holds. */
void contention_find(struct model *m);

#endif
