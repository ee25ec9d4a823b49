/* Ends the waits of threads: sets when they may go on, and keeps which thread ended the wait. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_WAKE_UPS_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_WAKE_UPS_H

#include "analysis/replay/machine/simulation.h"

/* A thread that has to wait, or is about to, goes on, after what it takes. */
void thread_wake(struct simulation *s, uint32_t thread, int64_t now);
/* Wakes all threads of a queue. */
void queue_wake(struct simulation *s, struct queue *q, int64_t now);

#endif
