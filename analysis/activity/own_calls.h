/* Gives each time of a thread to the innermost call that is under way. */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_OWN_CALLS_H
#define GLIMPSE_ANALYSIS_ACTIVITY_OWN_CALLS_H

#include "analysis/activity/instance_set.h"

typedef void own_call_visit(void *context, uint32_t class, int64_t from, int64_t to);

/*
 * Visits the own times of a thread's calls, by time; what run-time libraries do has their caller.
 * to: INT64_MAX of a call that is open at the end of its thread.
 */
void own_calls_each(const struct instance_set *s, uint32_t thread, own_call_visit *visit,
		    void *context);

#endif
