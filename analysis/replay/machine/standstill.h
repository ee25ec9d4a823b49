/* Ends waits that cannot end, because threads wait for each other or for nobody. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_STANDSTILL_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_STANDSTILL_H

#include "analysis/replay/machine/simulation.h"

/* At a standstill: ends one wait that cannot end. Returns whether there is one. */
bool standstill_end(struct simulation *s);
/*
 * Unties a circle that a thread has just closed. Others may run on for long before all stand still,
 * and what the circle holds up would come that much later.
 */
void circle_end(struct simulation *s, uint32_t first);

#endif
