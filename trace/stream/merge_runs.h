/*
 * Runs of numbers, each in ascending order, become one. No branch depends on what the numbers are:
 * random ones take as long as any others.
 */
#ifndef GLIMPSE_TRACE_STREAM_MERGE_RUNS_H
#define GLIMPSE_TRACE_STREAM_MERGE_RUNS_H

#include <stddef.h>
#include <stdint.h>

struct run {
	size_t at, n;           /* where it begins, and how many it has */
};

/*
 * The runs are in words, in the order of their places, each with room for one number behind it; so
 * is spare. Both are overwritten. The result is in `to`; where that is NULL, in one of the two,
 * which is returned, where the first run begins. There is at least one run, and none is empty; only one
 * number may be UINT64_MAX.
 */
uint64_t *runs_merge(const struct run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
		     uint64_t *to);

#endif
