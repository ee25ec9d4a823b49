/*
 * The operations of a thread that polls for the end of others: reasons/polling.h.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_POLL_SERIES_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_POLL_SERIES_H

#include "analysis/replay/program/operations.h"
#include "analysis/replay/reasons/polling.h"

/* Sleeps of a thread at one call site that follow each other. */
struct poll_series {
	VECTOR(size_t) sleeps; /* operations; the caller frees them. n is 0: no series has begun */
	size_t first_listed;   /* of the listed waits without a known cause (operations.waits) */
	uint32_t class;        /* of the waits */
	int64_t from, end;     /* of all sleeps, as recorded */
	int64_t last_from;     /* begin of the last sleep */
	int64_t work;          /* CPU time between the sleeps */
};

/*
 * Whether a stretch, whose end has no known cause, belongs to a series that has begun. A wait for a
 * processor belongs to each.
 */
bool poll_series_continues(const struct poll_series *s, const struct model *m, uint32_t thread,
			   size_t stretch);
/* Continues a series with the last operation, which comes from a stretch, or begins one. */
void poll_series_add(struct poll_series *s, const struct model *m, const struct operations *o,
		     uint32_t thread, size_t stretch);

/* Returns whether a series polls for the end of a thread. */
bool poll_series_awaits(const struct poll_series *s, const struct model *m, uint32_t thread,
			uint32_t of);
/*
 * Returns the thread whose end stopped a series: among the threads that it polls for,
 * the last to end. NO_THREAD: the series does not poll.
 */
uint32_t poll_series_for(const struct poll_series *s, const struct model *m, uint32_t thread);

#endif
