/*
 * Predicts the run without the kernel's work for the memory of its threads: page faults, and the
 * system calls that map and unmap. As if the program used the memory again that it has.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_PAGING_GAIN_H
#define GLIMPSE_ANALYSIS_WHY_PAGING_GAIN_H

#include "analysis/replay/answer/prediction.h"
#include "analysis/why/search.h"

/*
 * Sets what the findings about this work would gain, one for all: only where the replay says it.
 * The prediction has its unchanged replays; what it had replayed with changes is replaced.
 */
void paging_gains_find(struct prediction *p, const struct search *s);

#endif
