/* Serves requests: a device serves a limited number at once, and queues the others. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_DEVICE_QUEUES_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_DEVICE_QUEUES_H

#include "analysis/replay/machine/simulation.h"

/* Returns how many at once are served by the device of an operation; 0: as many as want. */
unsigned device_capacity(const struct simulation *s, const struct operation *o);
/* Returns whether the thread goes on at once. */
bool device_ask(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now);
/* A device is done with one, and goes on with the next. */
void device_finish(struct simulation *s, struct device_state *d, int64_t now);

#endif
