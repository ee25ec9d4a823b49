/* Compares what is in use with the memory that its process has resident, by samples of /proc. */
#ifndef GLIMPSE_ANALYSIS_HEAP_RESIDENT_H
#define GLIMPSE_ANALYSIS_HEAP_RESIDENT_H

#include "analysis/activity/roles.h"
#include <stdbool.h>
#include <stdint.h>

struct lifetimes;

/* Bytes of one process, when most was resident beyond what was in use. */
struct resident {
	bool known; /* some sample of such a process is in the trace */
	int64_t time;
	uint64_t bytes, in_use;
	uint64_t most, last; /* resident in that process: the most of all samples, and the last */
};

/*
 * sizes, freed, replaced: as peak_find() has them. Nothing is known where the trace has no samples
 * (the probe resources), or where the lives are not those of allocated blocks.
 */
struct resident resident_find(const struct lifetimes *l, const uint64_t *sizes,
			      const uint64_t *freed, const uint64_t *replaced);

/* Returns whether an interval is about allocated blocks: those of the probe memory. */
bool role_is_of_memory(const struct role *r);

#endif
