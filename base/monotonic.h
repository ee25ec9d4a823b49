/* The clock that measures durations: CLOCK_MONOTONIC. */
#ifndef GLIMPSE_BASE_MONOTONIC_H
#define GLIMPSE_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* Returns the time in nanoseconds. */
static inline int64_t monotonic_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static inline double monotonic_seconds(void)
{
	return (double)monotonic_now() / 1e9;
}

#endif
