/*
 * Merges runs of numbers, each in ascending order, into one. No branch depends on the numbers:
 * random ones take no longer than any others.
 */
#ifndef GLIMPSE_TRACE_STREAM_MERGE_RUNS_H
#define GLIMPSE_TRACE_STREAM_MERGE_RUNS_H

#include <stddef.h>
#include <stdint.h>

struct sorted_run {
	size_t at, n; /* its place, and how many numbers it has */
};

/*
 * Merges nruns > 0 runs, which are in words in the order of their places, none empty, each with
 * room for one number after it; spare is as large as words, and both are overwritten. Returns the
 * result: `to`, or, if that is NULL, where the first run begins in one of the two arrays. At most
 * one number is UINT64_MAX.
 */
uint64_t *runs_merge(const struct sorted_run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
		     uint64_t *to);

#endif
