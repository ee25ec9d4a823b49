/* Finds where a thread was while others waited for it. */
#ifndef GLIMPSE_ANALYSIS_WHY_CULPRITS_H
#define GLIMPSE_ANALYSIS_WHY_CULPRITS_H

#include "analysis/why/evidence.h"

/*
 * Sets the blame of each wait whose end has a cause: where the object was taken that was waited
 * for; else where the cause is.
 */
void culprits_set(struct evidence *g);

#endif
