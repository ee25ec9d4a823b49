/* Finds waits of several threads that one thread ended at once, as a broadcast does. */
#ifndef GLIMPSE_ANALYSIS_WHY_TOGETHER_H
#define GLIMPSE_ANALYSIS_WHY_TOGETHER_H

#include "analysis/why/evidence.h"

/* Sets of each wait whether it ended together with another thread's: for both by one event. */
void together_set(struct evidence *g);

#endif
