/* Where in the program a thread was that let others wait. */
#ifndef GLIMPSE_ANALYSIS_WHY_BLAME_H
#define GLIMPSE_ANALYSIS_WHY_BLAME_H

#include "analysis/why/ground.h"

/*
 * Sets the blame of each wait whose end has a cause: where the object was taken that was waited for;
 * else where the cause is.
 */
void blames_set(struct ground *g);

#endif
