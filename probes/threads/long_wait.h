/*
 * Calls that may wait without a lock or a condition: they are logged when they are over, and only
 * if they took long.
 */
#ifndef GLIMPSE_PROBES_THREADS_LONG_WAIT_H
#define GLIMPSE_PROBES_THREADS_LONG_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#define LONG_WAIT \
	40000u /* ticks: some 10 to 20 us of a processor's counter, 40 us of a clock in ns */

/* Returns how many ticks a call may take without being a wait. */
static inline uint64_t long_wait_least(void)
{
#if defined __aarch64__
	uint64_t rate;

	__asm__("mrs %0, cntfrq_el0" : "=r"(rate));
	return rate / 50000 < LONG_WAIT ? rate / 50000 : LONG_WAIT;
#else
	return LONG_WAIT;
#endif
}

static inline bool is_long_wait(uint64_t since, uint64_t now)
{
	return now - since >= long_wait_least();
}

#endif
