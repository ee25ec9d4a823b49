/* Reads the kernel's clocks, and the one that measures durations: CLOCK_MONOTONIC. */
#ifndef GLIMPSE_BASE_MONOTONIC_H
#define GLIMPSE_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>
#if defined(__linux__) && defined(__LP64__)
#include <sys/syscall.h>
#include <unistd.h>
#define CLOCK_READ(clock, time) syscall(SYS_clock_gettime, clock, time)
#else
#define CLOCK_READ(clock, time) clock_gettime(clock, time)
#endif

/*
 * Returns the time of a clock in nanoseconds. A library such as libfaketime may fake
 * clock_gettime(); the times of recorded programs are true ones, and are compared with these.
 */
static inline int64_t clock_now(clockid_t clock)
{
	struct timespec t = {0};

	CLOCK_READ(clock, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static inline int64_t monotonic_now(void)
{
	return clock_now(CLOCK_MONOTONIC);
}

static inline double monotonic_seconds(void)
{
	return (double)monotonic_now() / 1e9;
}

#endif
