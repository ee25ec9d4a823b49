/*
 * Why the waits of a recorded run ended: found once, before any operation exists, and kept with the
 * model. Rules are tried one after the other; the first that explains a wait wins.
 *
 * A new rule is a file that finds something, and a function and a row in wait_reasons.c.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_WAIT_REASONS_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_WAIT_REASONS_H

#include "analysis/replay/reasons/polling.h"
#include "analysis/replay/reasons/run_facts.h"
#include "analysis/replay/reasons/wait_reason.h"

struct wait_reasons {
	struct run_facts *facts;
	/* by thread, then stretch; nothing of waits that only the end of the process ended */
	wait_reason_list all;
	size_t *first; /* of each thread, and one more */
	poll_series_list series;
};

/*
 * Returns the reasons of a model, with the posts of a hand-out (NULL: none), which is kept as long
 * as the model. Valid until the model is freed or changed, or another hand-out is asked for. Not by
 * several threads at once, unless the reasons for that hand-out are there already.
 */
const struct wait_reasons *wait_reasons_of(struct model *m, const struct hand_out *hand_out);

#endif
