/* Predicts what limits the run after the first fix, and the gain of fixing that, too. */
#ifndef GLIMPSE_ANALYSIS_WHY_FIX_PLAN_H
#define GLIMPSE_ANALYSIS_WHY_FIX_PLAN_H

#include "analysis/rank/rank.h"
#include "analysis/replay/answer/next_bottleneck.h"
#include "analysis/why/search.h"

struct fix_plan {
	const struct rank_row *first; /* fixed first; NULL: no plan, or it limits the run still */
	struct next_steps then;
	int64_t whole; /* of the run without any of it, ns */
};

/*
 * Returns the plan after the fix of the first finding, which the prediction has replayed
 * (rank_predict()). The rank and its trace are needed as long as the plan.
 */
struct fix_plan fix_plan_of(struct prediction *p, const struct search *s);

/* Returns the gain, as a share of the run, if it takes so long with all fixes up to a step (ns). */
double fix_plan_gain(const struct fix_plan *plan, int64_t duration);

#endif
