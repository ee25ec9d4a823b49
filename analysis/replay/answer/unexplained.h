/* Sums the waits without a known cause by what the threads waited in, and where. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_UNEXPLAINED_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_UNEXPLAINED_H

#include "analysis/replay/recorded/model.h"

struct unexplained_waits {
	/* "JoinWait at main+0x1f (x.c:10)", "blocked", "ready"; the trace keeps it */
	const char *where;
	size_t waits;
	int64_t time;    /* of all of them, in nanoseconds: what the replay copies */
	int64_t unknown; /* of that, what another thread may have ended: analysis/graph/unknown.h */
	int64_t longest;
	uint32_t thread; /* that had the longest: index in the trace's threads */
};

/*
 * Returns the rows, those with the most time first, and sets *n to their number. The caller frees
 * them; the model is needed as long.
 */
struct unexplained_waits *unexplained_of(struct model *m, size_t *n);

#endif
