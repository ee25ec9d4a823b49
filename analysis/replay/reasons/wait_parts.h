/*
 * Divides the end of a recorded wait into parts: what it took until the thread was ready, until it
 * had a processor, and what it ran within the wait.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_WAIT_PARTS_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_WAIT_PARTS_H

#include "analysis/replay/recorded/model.h"

#define NO_LATENCY UINT32_MAX

struct wait_parts {
	int64_t time; /* from the cause until the thread was ready */
	/* it runs so long before it leaves its processor, and after it has one again */
	uint32_t before, after;
	uint32_t latency; /* from when it was ready until it ran; NO_LATENCY: not known */
	uint8_t core;     /* that it had then; NO_CORE: not known */
	bool switched;    /* the latency is of a processor that another thread left */
	bool others;      /* other programs had the processor for the latency */
};

/* Returns the time from a cause until the thread went on, without its waiting for a processor. */
int64_t wait_latency(const struct model *m, uint32_t thread, int64_t cause, int64_t end);
/*
 * Returns how long a thread ran within a part of its wait, at most *time, which it takes that off.
 * time: NULL: there is no limit.
 */
uint32_t wait_ran_within(const struct model *m, uint32_t thread, int64_t from, int64_t to,
			 int64_t *time);
/*
 * Returns what it took from a cause until the thread ran; before and after are 0, their time is in
 * the other ones.
 */
struct wait_parts wait_end_parts(const struct model *m, uint32_t thread, int64_t cause,
				 int64_t end);
/* Returns what it takes from a cause to the end of a wait, and what the thread runs within that. */
struct wait_parts wait_parts_of(const struct model *m, uint32_t thread, int64_t from, int64_t cause,
				int64_t end);
/*
 * Whether a wait that ends with a lock, but is not for it, ended before the thread came to the
 * lock: a timer woke it, say, and the lock was free. It had left its processor, and had none again
 * before the release.
 */
bool wait_came_later(const struct model *m, uint32_t thread, int64_t from,
		     const struct model_cause *release);

#endif
