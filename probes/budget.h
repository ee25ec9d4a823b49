/* Limits the cost of frequent events to 2 % of each thread's time. */
#ifndef GLIMPSE_PROBES_BUDGET_H
#define GLIMPSE_PROBES_BUDGET_H

#include "runtime/system.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Whether all is to be logged, whatever it costs: record --full. */
static inline bool budget_is_unlimited(void)
{
	return secure_getenv("GLIMPSE_FULL") != NULL;
}

/*
 * Returns whether n events, of `cost` ns each, took more than 2 % of the thread's processor time
 * since *since (ns), and sets that to now; false if the time is not known.
 */
static inline bool budget_is_spent(uint64_t *since, uint32_t n, uint32_t cost)
{
	enum { SHARE = 50 }; /* 2 % as a divisor */
	struct timespec t;
	uint64_t now = UINT64_MAX, ran;

	if (!system_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	ran = now - *since;
	*since = now;
	return ran < (uint64_t)n * cost * SHARE;
}

#endif
