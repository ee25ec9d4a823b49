/*
 * Finds when events were enabled: shares of what they show are shares of that time, not of the run.
 *
 *	Lock     off ---------[ on            ]--------[ on      ]
 *	Unlock   off ---[ on                       ]---[ on      ]
 *	a hold                [ known              ]...[ known   ]     of both
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_ON_TIME_H
#define GLIMPSE_ANALYSIS_ACTIVITY_ON_TIME_H

#include "analysis/activity/roles.h"
#include "base/array.h"
#include "trace/trace.h"

struct on_range {
	int64_t from, to;
};

struct on_time {
	VECTOR(struct on_range) ranges; /* in the order of time, apart from each other */
};

/* Returns all of a trace's time; to be freed with on_time_free(). */
struct on_time on_time_all(const struct trace *t);
/*
 * Leaves out when an event of a role was off in some process. What a single thread switched off for
 * itself does not count.
 */
void on_time_cut(struct on_time *o, const struct trace *t, const struct role *r);
/*
 * Returns from when on an event that ends an interval of the role was off, up to the end of the
 * trace: nobody knows how long an interval lasts that is open then. INT64_MAX: it was on.
 */
int64_t on_time_end(const struct trace *t, const struct role *r);
/* Returns how much of [from, to] is in it. */
int64_t on_time_within(const struct on_time *o, int64_t from, int64_t to);
/* Whether a moment is in it. */
bool on_time_has(const struct on_time *o, int64_t time);
void on_time_free(struct on_time *o);

#endif
