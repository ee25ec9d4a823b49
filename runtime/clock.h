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
	uint64_t monotonic;     /* ns */
	uint64_t real;          /* ns */
};

/*
 * Chooses the clock: the counter if it is invariant, else CLOCK_MONOTONIC. `setting` is the value
 * of GLIMPSE_CLOCK or NULL: "counter", "monotonic", or "fake[:START[:STEP]]" for tests, whose
 * readings are START, START + STEP, ...
 */
void gl_clock_choose(const char *setting);

/* Returns the kind of ticks that the logs have. */
enum clock_kind gl_clock_kind(void);
/* Returns whether the inline path may read the counter. */
bool gl_clock_inline(void);

/* Reads the clock. */
uint64_t gl_clock_ticks(void);
/* Reads the three clocks, to about 50 ns: the tightest of several readings. */
struct clock_pair gl_clock_pair(void);

#endif
