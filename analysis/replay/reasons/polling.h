/*
 * Finds threads that poll: they sleep again and again at one call site, compute little between, and
 * stop once threads that they created have ended.
 *
 *	main     | sleep   | sleep   | sleep   | sleep   |--->
 *	worker   ---------------------------------end|         main polls for this end
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_POLLING_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_POLLING_H

#include "analysis/replay/reasons/run_facts.h"
#include "analysis/replay/reasons/wait_reason.h"

/* Sleeps of a thread at one call site that follow each other. */
struct poll_series {
	uint32_t thread; /* index in the trace's threads */
	uint32_t class;  /* of the sleeps */
	size_t n;
	int64_t from, end; /* of all sleeps */
	int64_t last_from; /* start of the last sleep */
	int64_t work;      /* CPU time between the sleeps */
	uint32_t of;       /* the last to end of the threads that it polls for */
};

typedef VECTOR(struct poll_series) poll_series_list;

/* Whether a series polls for the end of a thread. */
bool poll_series_awaits(const struct poll_series *s, const struct model *m, uint32_t of);
/*
 * Finds the series among the waits of a thread, the list's from first on, that have no reason yet,
 * or are served from outside: they become sleeps of a series, which is added to all.
 */
void poll_series_find(const struct model *m, const struct run_facts *f, uint32_t thread,
		      const wait_reason_list *waits, size_t first, poll_series_list *all);

#endif
