/*
 * Finds threads that sleep again and again at one call site until another thread has done
 * something: released the lock under which they look for it after each sleep, or ended.
 *
 *	poller   | sleep |L| sleep |L| sleep |L| sleep |L|--->     L: it holds the lock
 *	worker   ----------------------------|L|----               the poller polls for this release
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_POLL_LOOP_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_POLL_LOOP_H

#include "analysis/replay/recorded/model.h"

struct poll_loop {
	uint32_t thread;    /* index in the trace's threads */
	size_t first, last; /* sleeps: stretches of its timeline */
	uint32_t class;     /* of the sleeps */
	/* the hold under which it looks after the last sleep; NO_HOLD: it looks without a lock */
	size_t check;
	bool looks_first; /* it looks before it sleeps for the first time, too */
	uint32_t of;      /* what it polls for: that this thread has come to that time */
	int64_t time;
	bool alone; /* others see nothing of it: alone.h */
};

#define NO_HOLD SIZE_MAX

typedef VECTOR(struct poll_loop) poll_loops;

/*
 * Returns the loops of all threads, by thread, then time. Left out are those for the end of created
 * threads (polling.h). The caller frees them.
 */
poll_loops poll_loops_of(const struct model *m);

/* Whether a stretch is a sleep of a loop. */
bool poll_loop_has(const struct poll_loop *l, const struct model *m, size_t stretch);

#endif
