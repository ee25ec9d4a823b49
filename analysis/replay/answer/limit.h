/* Finds what limits a replayed run: the largest component of its critical path. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_LIMIT_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_LIMIT_H

#include "analysis/replay/machine/replay.h"

enum limit_kind {
	/*
	 * number: a thread, for all of its name, what they compute; also while other programs have
	 * the processor of one that computes
	 */
	LIMIT_THREAD,
	LIMIT_LOCK,       /* what is computed while it is held */
	LIMIT_PROCESSORS, /* waiting for one */
	LIMIT_WAITING,    /* for what no thread of the run does; number: the thread */
	LIMIT_NOTHING,    /* the run takes no time */
};

struct limit {
	enum limit_kind kind;
	uint32_t number;
	double share; /* of the run's time */
};

/* gone: locks that nobody holds any more, by number; NULL: there are none. */
struct limit limit_of(const struct model *m, const struct operations *o, const struct replay *r,
		      const bool *gone);

/*
 * Calls visit for each operation on the critical path, the last one first. Makes no call if
 * limit_of() finds LIMIT_NOTHING.
 *
 * computed: how long its thread computed before it, as for LIMIT_THREAD, ns.
 *
 * waited: how long the thread waited in it for no other thread, ns.
 */
typedef void limit_visit(void *context, size_t operation, int64_t computed, int64_t waited);
void limit_path(const struct model *m, const struct operations *o, const struct replay *r,
		limit_visit *visit, void *context);

#endif
