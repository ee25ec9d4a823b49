/* Chooses a processor for a thread whose wait has ended. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_WAKE_PLACEMENT_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_WAKE_PLACEMENT_H

#include "analysis/replay/machine/simulation.h"

/*
 * A thread goes on after a wait: an idle processor is its own from now on, also until it runs
 * there.
 */
void thread_resume(struct simulation *s, uint32_t thread, int64_t now);

#endif
