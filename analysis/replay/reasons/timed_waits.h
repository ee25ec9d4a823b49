/*
 * Finds waits with a time limit, and loops of them: a thread waits again and again at one call site
 * until another thread ends the wait in time.
 *
 *	waiter   | wait, 110 | work | wait, 110 | work | wait |--->     110: its time was up
 *	worker   ----------------------------------------post|--        ends the last wait: or an earlier one
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_TIMED_WAITS_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_TIMED_WAITS_H

#include "analysis/replay/reasons/poll_loop.h"
#include "analysis/replay/recorded/model.h"

struct timed_wait {
	uint32_t thread; /* index in the trace's threads */
	size_t stretch;  /* of its timeline */
	int64_t left;    /* from the stretch's beginning to the limit: ns, not negative */
	bool timed_out;
	bool repeats; /* one at its call site timed out, and the thread waited again there */
	/*
	 * Of one that timed out: the wait that ends its loop, and what ended that. last:
	 * NO_STRETCH: it is in none.
	 */
	size_t last;
	uint32_t of;
	int64_t time;
	size_t hold;   /* that kept a lock when the time was up: timed_locks.h. NO_HOLD: none */
	bool repeated; /* others see nothing of what comes from it up to the next one: alone.h */
};

#define NO_STRETCH SIZE_MAX

typedef VECTOR(struct timed_wait) timed_waits;

/*
 * Returns those of all threads, by thread, then stretch. Waits for locks are left out. The caller
 * frees them.
 */
timed_waits timed_waits_of(const struct model *m);
/* Returns the wait that a stretch is; NULL: it has no limit. */
const struct timed_wait *timed_wait_find(const timed_waits *all, uint32_t thread, size_t stretch);
/* Takes off the loops of sleeps that are loops of such waits. */
void timed_waits_claim(const timed_waits *all, poll_loops *loops);

#endif
