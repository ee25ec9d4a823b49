/*
 * The clock behind the slow path. The hot path reads the processor's counter in line
 * (glimpse_ticks); where there is no counter to trust, or a test replaces it, every event comes
 * here.
 */
#ifndef GLIMPSE_RUNTIME_CLOCK_H
#define GLIMPSE_RUNTIME_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum clock_kind { CLOCK_COUNTER = 1, CLOCK_NANOSECONDS = 2 };

/* One moment on three clocks. */
struct clock_pair {
	uint64_t ticks;
	uint64_t monotonic;     /* ns */
	uint64_t real;          /* ns */
};

/*
 * Chooses the clock: the counter where it is invariant, else CLOCK_MONOTONIC. `setting` is the
 * value of GLIMPSE_CLOCK or NULL: "counter", "monotonic", or "fake[:START[:STEP]]" for tests,
 * whose readings are START, START + STEP, ...
 */
void gl_clock_choose(const char *setting);

enum clock_kind gl_clock_kind(void);
/* Whether the hot path may read the counter in line. */
bool gl_clock_inline(void);

uint64_t gl_clock_ticks(void);
/* Good to about 50 ns: the tightest of some readings. */
struct clock_pair gl_clock_pair(void);

#endif
