/*
 * Finds at which processor ready threads waited, by the processors that they ran on, and how soon
 * idle processors take over threads that wait at others.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_PLACEMENT_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_PLACEMENT_H

#include "analysis/replay/recorded/readiness.h"

/*
 * Sets until when each thread waited for the processor that it then ran on, and r->pull. Changes
 * nothing if processors are not recorded. ends: when each thread ends; cores: processors of the
 * run, not 0.
 */
void placement_find(const struct instance_set *set, struct readiness *r, const int64_t *ends,
		    unsigned cores);

#endif
