/* The cost of an event on this machine, measured when the run begins. */
#ifndef GLIMPSE_RUNTIME_COST_H
#define GLIMPSE_RUNTIME_COST_H

#include <stdint.h>

/*
 * Returns how many picoseconds an event with two ints takes. Takes about 30 us itself. Inside a
 * guard, after gl_clock_choose().
 */
uint64_t gl_cost_measure(void);

#endif
