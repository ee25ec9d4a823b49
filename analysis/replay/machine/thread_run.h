/* Runs a thread: its work and its operations, one after the other, until it has to wait. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_THREAD_RUN_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_THREAD_RUN_H

#include "analysis/replay/machine/simulation.h"

/* Whether the end of its process ends a thread, whatever it does then. */
static inline bool ends_with_process(const struct operations *o, uint32_t thread)
{
	return o->ended && o->ended[operations_thread(o, thread)];
}

/* Ends the wait of a thread. */
void wait_end(struct simulation *s, uint32_t thread, int64_t now);
/* A thread runs on from now until it leaves its processor, or something else happens first. */
void thread_run(struct simulation *s, uint32_t thread, int64_t now);
/*
 * A thread is not there before its first operation, a wait, is over: it needs no processor for
 * that.
 */
void thread_begin(struct simulation *s, uint32_t thread);

#endif
