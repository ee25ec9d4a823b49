/*
 * The clock of the slow path. The inline path of an event reads the processor's counter
 * (glimpse_ticks). Where no counter can be trusted, or a test replaces it, every event takes the
 * slow path.
 */
#ifndef GLIMPSE_RUNTIME_CLOCK_H
#define GLIMPSE_RUNTIME_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum clock_kind { CLOCK_COUNTER = 1, CLOCK_NANOSECONDS = 2 };

/* One moment on three clocks. */
struct clock_pair {
	uint64_t ticks;
	uint64_t monotonic; /* ns */
	uint64_t real;      /* ns */
};

/*
 * Chooses the clock, at the first time that is asked for and once more when the log directory is
 * open. It is the counter if that is invariant and the kernel trusts it, otherwise CLOCK_MONOTONIC.
 * `setting` is the value of GLIMPSE_CLOCK or NULL. "counter" chooses the counter whatever the
 * kernel says, and "monotonic" the other. For tests there are two more. The readings of
 * "fake[:START[:STEP]]" are START, START + STEP, and so on. "reset[:MS]" is a counter of 2 GHz that
 * goes back to 0 after this many milliseconds.
 */
void gl_clock_choose(const char *setting);
/* Returns whether it was chosen. Any thread may ask. */
bool gl_clock_chosen(void);
/* Returns the kernel's clock source if that is not made of the counter, or "". */
const char *gl_clock_source(void);

/* Returns the kind of ticks that the logs have. */
enum clock_kind gl_clock_kind(void);
/* Returns whether the inline path may read the counter. */
bool gl_clock_inline(void);

/*
 * Makes the ticks go on from a moment at `rate` (ticks in a nanosecond of CLOCK_MONOTONIC), without
 * the counter: for a counter that stepped back. The inline path is not used from then on.
 */
void gl_clock_leave_counter(const struct clock_pair *from, double rate);
/* Returns whether the kernel trusts the counter now, or GLIMPSE_CLOCK says to take it anyway. */
bool gl_clock_trusted(void);

/* Reads the clock. */
uint64_t gl_clock_ticks(void);
/* Reads the three clocks, to about 50 ns: the tightest of several readings. */
struct clock_pair gl_clock_pair(void);

#endif
