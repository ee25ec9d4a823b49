/* What an event costs here, measured when the run begins. */
#ifndef GLIMPSE_RUNTIME_COST_H
#define GLIMPSE_RUNTIME_COST_H

#include <stdint.h>

/*
 * Picoseconds that one event with two ints takes. About 30 us. Inside a guard, after
 * gl_clock_choose().
 */
uint64_t gl_cost_measure(void);

#endif
