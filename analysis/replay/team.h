/*
 * Changes how threads share work: how many threads there are, and in which chunks they get the
 * iterations of loops. Finds the threads and loops that a request means, and changes their
 * operations.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_TEAM_H
#define GLIMPSE_ANALYSIS_REPLAY_TEAM_H

#include "analysis/replay/hand_out.h"
#include "analysis/replay/schedule.h"

struct crew_change {
	const char *what; /* a pattern of threads: label_matches() */
	uint32_t n;       /* so many there are, at least 1 */
};

struct loop_change {
	const char *what; /* a pattern of names of loops */
	struct schedule schedule;
};

struct team_changes {
	const struct crew_change *crews;
	unsigned ncrews;
	const struct loop_change *loops;
	unsigned nloops;
};

static inline bool team_is_changed(const struct team_changes *c)
{
	return c->ncrews || c->nloops;
}

/* Which items are handed out in the run, and why some are not handed out in its replay. */
struct team_items {
	const struct hand_out *hand_out; /* NULL: none */
	const char *copied;              /* NULL: all items that are certain are handed out */
};

/*
 * Changes the operations of a run, the crews first. Returns NULL, or the reason why that is not
 * possible, which the caller frees; some changes may have been made then.
 */
char *team_change(struct operations *o, const struct model *m, const struct team_items *items,
		  const struct team_changes *c);

#endif
