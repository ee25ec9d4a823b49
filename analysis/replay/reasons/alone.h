/*
 * Finds what others see of a part of a thread: what can be left out of a replay, or be done again,
 * has nothing of that.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_ALONE_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_ALONE_H

#include "analysis/replay/reasons/run_facts.h"

/*
 * Sets `alone` of the poll loops and `repeated` of the timed waits. The facts have their posts.
 */
void alone_find(const struct model *m, struct run_facts *f);

#endif
