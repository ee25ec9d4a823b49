/* Ends of nothing: of the object 0, of what was ended before, of what was never begun. */
#ifndef GLIMPSE_ANALYSIS_HEAP_UNMATCHED_FREES_H
#define GLIMPSE_ANALYSIS_HEAP_UNMATCHED_FREES_H

#include "analysis/heap/heap.h"
#include "analysis/heap/lifetimes.h"

/* Fills in unmatched frees and `nothing`; part: NULL: all. */
void unmatched_frees_find(struct heap *h, const struct lifetimes *l, const struct heap_part *part);

#endif
