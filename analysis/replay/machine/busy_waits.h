/* Lets threads that have to wait leave their processors, or keep them while they wait. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_BUSY_WAITS_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_BUSY_WAITS_H

#include "analysis/replay/machine/simulation.h"

/*
 * Whether a thread waits for a post until a time at most. One that keeps its processor while it
 * waits has no limit.
 */
static inline bool is_limited(const struct simulation *s, const struct thread *t)
{
	const struct operation *o = &s->o->all.at[t->next];

	return t->limit != INT64_MAX && o->kind == OPERATION_WAIT && o->before != OPERATION_SPINS;
}

/* A thread that has to wait leaves its processor. */
void thread_block(struct simulation *s, uint32_t thread, int64_t now);
/* A thread that spins, and yields, leaves its processor to one that is ready, and waits. */
void yielder_displace(struct simulation *s, const struct thread *by, int64_t now);
/*
 * A thread goes back in a loop that others are to end, and does nothing meanwhile that they wait
 * for. Returns whether some of them still may.
 */
bool loop_goes_on(struct simulation *s, struct thread *t, int64_t now);
/* The loop is over. */
void loop_end(struct thread *t);
/*
 * Called while threads wait busily beyond the ends of their slices. If no thread goes on any more,
 * they leave their processors after their slices.
 */
void patience_end(struct simulation *s);
/*
 * A thread that is woken goes on; one that keeps its processor for the first time leaves it if it
 * is wanted.
 */
void busy_wait_begin(struct simulation *s, uint32_t thread, int64_t now);
/* A thread has to wait: it leaves its processor, or goes on before. */
void wait_begin(struct simulation *s, uint32_t thread, int64_t now);

#endif
