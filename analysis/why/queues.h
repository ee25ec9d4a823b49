/* Finds threads that wait for a processor while it runs another thread of the program. */
#ifndef GLIMPSE_ANALYSIS_WHY_QUEUES_H
#define GLIMPSE_ANALYSIS_WHY_QUEUES_H

#include "analysis/why/evidence.h"

/*
 * Sets `queued` of the spans in which threads are ready, and how long threads ran on each
 * processor.
 */
void queues_set(struct evidence *g);

#endif
