/* How much of the critical path each lock is held for, by its name. */
#ifndef GLIMPSE_ANALYSIS_RANK_LOCK_PATHS_H
#define GLIMPSE_ANALYSIS_RANK_LOCK_PATHS_H

#include "analysis/objects/lock_walk.h"
#include "trace/trace.h"

struct lock_path {
	const char *name;
	int64_t time;
};

struct lock_paths {
	struct lock_path *locks;        /* by name */
	size_t n;
	int64_t duration;               /* of the path: of the trace, or of a part */
};

struct lock_paths *lock_paths_of(struct trace *t, const struct lock_part *part);
/* Returns the time on the path of the locks of a name; 0: there is none. */
int64_t lock_path_time(const struct lock_paths *p, const char *name);
void lock_paths_free(struct lock_paths *p);

#endif
