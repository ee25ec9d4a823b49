/* What recorded programs compute, and the clock of the thread, by which they say what that took. */
#ifndef GLIMPSE_TESTS_PROBES_COMPUTES_H
#define GLIMPSE_TESTS_PROBES_COMPUTES_H

#include <time.h>

static volatile unsigned long sink;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Runs for so many ms of that clock. */
__attribute__((noinline, unused)) static void compute(long ms)
{
	for (long end = now() + ms * 1000000; now() < end;)
		for (volatile int i = 0; i < 20000; i++)
			continue;
}

#define COMPUTES(name) \
	__attribute__((noinline)) static void name(long n) \
	{ \
		unsigned long x = n; \
\
		for (long i = 0; i < n; i++) \
			x = (x * 1664525 + 1013904223) ^ x >> 13; \
		sink += x; \
	}

#endif
