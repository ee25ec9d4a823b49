/*
 * Changes how threads share work: how many threads there are, and in which chunks they get the
 * iterations of loops. Finds the threads and loops that a request means, and changes their
 * operations.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_TEAM_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_TEAM_H

#include "analysis/replay/items/hand_out.h"
#include "analysis/replay/program/schedule.h"

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
