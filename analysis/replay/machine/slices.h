/*
 * Ends the time slices of threads whose processors others wait for. Where nobody waits, a slice is
 * no step of the replay.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_SLICES_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_SLICES_H

#include "analysis/replay/machine/simulation.h"

/* Whether others wait for the processor that a thread has. */
static inline bool is_wanted(const struct simulation *s, const struct thread *t)
{
	return (s->cores ? &s->cores[t->core].ready : &s->ready)->head != NOBODY;
}

/* The slices of a thread follow each other while nobody waits for its processor. */
static inline void slices_pass(const struct simulation *s, struct thread *t, int64_t now)
{
	int64_t slice = s->machine->slice;

	if (t->slice_end < now)
		t->slice_end += (now - t->slice_end + slice - 1) / slice * slice;
}

/* A thread runs on, or waits busily, beyond the end of its slice, as nobody waits. */
void unsliced_add(struct simulation *s, uint32_t thread);
void unsliced_remove(struct simulation *s, struct thread *t);

/* A thread has run on for longer than its slice, up to a time. */
static inline void unsliced_end(struct simulation *s, struct thread *t, int64_t now)
{
	if (t->unsliced == NOBODY)
		return;
	unsliced_remove(s, t);
	slices_pass(s, t, now);
}

/*
 * Once others wait for the processor of a thread, it runs up to the end of its slice. A thread that
 * waits busily is looked at then.
 */
void unsliced_cut(struct simulation *s, uint32_t thread, int64_t now);
/* Called after a thread has come to a queue for processors. */
void turns_expect(struct simulation *s, int64_t now);
/* A thread waits for a lock, and keeps its processor. */
void spin_begin(struct simulation *s, uint32_t thread, int64_t now);
/* The thread has the lock, or leaves its processor to others. */
void spin_end(struct simulation *s, struct thread *t, int64_t now);

#endif
