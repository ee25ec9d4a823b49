/* Finds invalid frees: of object 0, double frees, and frees of objects that never began. */
#ifndef GLIMPSE_ANALYSIS_HEAP_UNMATCHED_FREES_H
#define GLIMPSE_ANALYSIS_HEAP_UNMATCHED_FREES_H

#include "analysis/heap/heap.h"
#include "analysis/heap/lifetimes.h"

/* Fills in unmatched frees and `nothing`; part: NULL: all. */
void unmatched_frees_find(struct heap *h, const struct lifetimes *l, const struct heap_part *part);

#endif
