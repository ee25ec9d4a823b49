/* The time by which gorge waits: in nanoseconds, and none of the trace's. */
#ifndef GLIMPSE_BASE_MONOTONIC_H
#define GLIMPSE_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

#endif
