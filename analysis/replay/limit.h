/* What a replayed run is limited by: what there is most of on its critical path. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_LIMIT_H
#define GLIMPSE_ANALYSIS_REPLAY_LIMIT_H

#include "analysis/replay/replay.h"

enum limit_kind {
	LIMIT_THREAD,           /* number: a thread, for all of its name, what they compute */
	LIMIT_LOCK,             /* what is computed while it is held */
	LIMIT_PROCESSORS,       /* waiting for one */
	LIMIT_WAITING,          /* for what no thread of the run does; number: the thread */
	LIMIT_NOTHING,          /* the run takes no time */
};

struct limit {
	enum limit_kind kind;
	uint32_t number;
	double share;           /* of the run's time */
};

struct limit limit_of(const struct model *m, const struct operations *o, const struct replay *r);

#endif
