/* Gives processors to ready threads: one queue for all processors, or one for each. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_RUN_QUEUES_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_RUN_QUEUES_H

#include "analysis/replay/machine/simulation.h"

/* From now on a thread is in a state. Does nothing if the machine keeps no states. */
void state_add(struct simulation *s, uint32_t thread, enum thread_state state, int64_t now);
/* The thread has a processor, and runs on it from a time on. */
void thread_dispatch(struct simulation *s, uint32_t thread, int64_t start);
/*
 * While a processor is idle and threads are in the queues of others, one of them is taken over
 * after some time. Called after each change of either.
 */
void pull_expect(struct simulation *s, int64_t now);
/* Gives a thread an idle processor, if it can the one that it had last. */
void core_choose(struct simulation *s, struct thread *t);
/* The thread waits for a processor that another one leaves. */
void ready_add(struct simulation *s, uint32_t thread, int64_t now);
/* Hands a processor to the next ready thread. */
void processor_leave(struct simulation *s, uint32_t core, int64_t now);
/* Others that are ready run before a thread goes on. */
void thread_preempt(struct simulation *s, uint32_t thread, int64_t now);
/* An idle processor takes over the thread that waits longest. */
void processor_pull(struct simulation *s, int64_t now);

#endif
