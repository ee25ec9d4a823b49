/* Finds when the most bytes are alive. */
#ifndef GLIMPSE_ANALYSIS_HEAP_PEAK_H
#define GLIMPSE_ANALYSIS_HEAP_PEAK_H

#include "analysis/heap/lifetimes.h"

struct peak {
	uint64_t bytes; /* 0: nothing was ever alive */
	size_t start;   /* the event that made them so many */
	size_t ends;    /* so many events of the other type came before it */
};

/*
 * sizes: of each start, its bytes; freed: of each end, the bytes whose lives it ends; replaced: the
 * same of each start, NULL: no end is unseen.
 */
struct peak peak_find(const struct lifetimes *l, const uint64_t *sizes, const uint64_t *freed,
		      const uint64_t *replaced);

/* Returns whether what an event begins is alive at the peak. */
static inline bool peak_has(const struct peak *p, const struct lifetimes *l, size_t start)
{
	uint32_t end = l->end_of[start];

	if (!p->bytes || start > p->start || end == LIFE_NONE)
		return false;
	return end == LIFE_UNSEEN ? lifetimes_again(l, start) > p->start : end >= p->ends;
}

#endif
