/*
 * Divides the end of a recorded wait into parts: what it took until the thread was ready, until it
 * had a processor, and what it ran within the wait.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_WAIT_PARTS_H
#define GLIMPSE_ANALYSIS_REPLAY_WAIT_PARTS_H

#include "analysis/replay/operations.h"

/* Returns the time from a cause until the thread went on, without its waiting for a processor. */
int64_t wait_latency(const struct model *m, uint32_t thread, int64_t cause, int64_t end);
/*
 * Returns how long a thread ran within a part of its wait, at most *time, which it takes that off.
 * time: NULL: there is no limit.
 */
uint32_t wait_ran_within(const struct model *m, uint32_t thread, int64_t from, int64_t to,
			 int64_t *time);
/*
 * Sets what it took at the end of a wait until the thread ran after it had been ready: a part of
 * the operation's time.
 */
void wait_latency_set(const struct model *m, uint32_t thread, struct operation *o, int64_t from,
		      int64_t to);
/* Sets what it takes from a cause to the end of a wait, and what the thread runs within that. */
void wait_set(const struct model *m, uint32_t thread, struct operation *o, int64_t from,
	      int64_t cause, int64_t end);
/*
 * Whether a wait that ends with a lock, but is not for it, ended before the thread came to the
 * lock: a timer woke it, say, and the lock was free. It had left its processor, and had none again
 * before the release.
 */
bool wait_came_later(const struct model *m, uint32_t thread, int64_t from,
		     const struct model_cause *release);

#endif
