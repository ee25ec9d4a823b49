/*
 * Finds when locks were really acquired and released. The time of a release is read before the lock
 * is free, that of an acquisition after the thread holds it: a thread that found the lock held in
 * between narrows both.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_CONTENTION_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_CONTENTION_H

#include "analysis/replay/recorded/model.h"

/*
 * Finds the model's contended acquisitions, and sets `early`, `late`, `wait` and `shared` of its
 * holds.
 */
void contention_find(struct model *m);

#endif
